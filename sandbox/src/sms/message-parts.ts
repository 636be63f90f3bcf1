import type { SmppPdu } from './smpp-library.ts';

interface Part {
  reference: number;
  total: number;
  sequence: number;
}

const longestWaitingList = 10_000;

/** Joins the parts of a long message, in whatever order they arrive. */
export class MessageParts {
  #waiting = new Map<string, Map<number, string>>();

  /** The whole text once the last part has arrived; undefined until then. */
  join(pdu: SmppPdu): string | undefined {
    const content = pdu.message_payload?.message ? pdu.message_payload : pdu.short_message;
    const text = content?.message ?? '';
    const part = partFromHeader(content?.udh) ?? partFromTags(pdu);
    if (!part || part.total < 2) return text;
    const key = [pdu.source_addr, pdu.destination_addr, part.reference, part.total].join('|');
    const parts = this.#waiting.get(key) ?? new Map<number, string>();
    parts.set(part.sequence, text);
    this.#waiting.set(key, parts);
    if (parts.size < part.total) {
      this.#forgetOldest();
      return undefined;
    }
    this.#waiting.delete(key);
    return [...parts]
      .sort(([left], [right]) => left - right)
      .map(([, piece]) => piece)
      .join('');
  }

  reset(): void {
    this.#waiting.clear();
  }

  #forgetOldest(): void {
    if (this.#waiting.size <= longestWaitingList) return;
    for (const key of this.#waiting.keys()) {
      this.#waiting.delete(key);
      return;
    }
  }
}

function partFromHeader(elements: Buffer[] | undefined): Part | undefined {
  for (const element of elements ?? []) {
    const shortReference = element[0] === 0x00 && element.length === 5;
    const longReference = element[0] === 0x08 && element.length === 6;
    if (!shortReference && !longReference) continue;
    const counts = shortReference ? 3 : 4;
    return {
      reference: shortReference ? element.readUInt8(2) : element.readUInt16BE(2),
      total: element.readUInt8(counts),
      sequence: element.readUInt8(counts + 1),
    };
  }
  return undefined;
}

function partFromTags(pdu: SmppPdu): Part | undefined {
  const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: sequence } = pdu;
  if (reference === undefined || total === undefined || sequence === undefined) return undefined;
  return { reference, total, sequence };
}

import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Server } from 'node:net';

interface SmppText {
  message: string;
  /** The information elements of the user data header, one buffer each. */
  udh?: Buffer[];
}

export interface SmppPdu {
  command: string;
  command_status: number;
  system_id?: string;
  password?: string;
  message_id?: string;
  source_addr?: string;
  destination_addr?: string;
  esm_class?: number;
  registered_delivery?: number;
  short_message?: SmppText;
  message_payload?: SmppText;
  sar_msg_ref_num?: number;
  sar_total_segments?: number;
  sar_segment_seqnum?: number;
  receipted_message_id?: string;
  message_state?: number;
  isResponse(): boolean;
  response(fields?: Record<string, unknown>): SmppPdu;
}

type SmppCommand = (fields?: Record<string, unknown>, onResponse?: (pdu: SmppPdu) => void) => boolean;

export interface SmppSession extends EventEmitter {
  send(pdu: SmppPdu): boolean;
  close(onClosed?: () => void): void;
  destroy(onClosed?: () => void): void;
  bind_transceiver: SmppCommand;
  bind_receiver: SmppCommand;
  submit_sm: SmppCommand;
  deliver_sm: SmppCommand;
  enquire_link: SmppCommand;
  unbind: SmppCommand;
}

export interface SmppServer extends Server {
  sessions: SmppSession[];
}

interface SmppLibrary {
  createServer(onSession: (session: SmppSession) => void): SmppServer;
  connect(options: { host: string; port: number }): SmppSession;
}

const require = createRequire(import.meta.url);

/** The library has no types; only what we use is declared. */
export const smpp: SmppLibrary = require('smpp');

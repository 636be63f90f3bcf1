declare module 'smpp' {
  import type { EventEmitter } from 'node:events';

  export interface Pdu {
    command: string;
    command_status: number;
    message_id?: string;
    message_state?: number;
    response(): Pdu;
  }
  export interface Session extends EventEmitter {
    bind_transceiver(options: Record<string, unknown>, answered: (pdu: Pdu) => void): void;
    submit_sm(options: Record<string, unknown>, answered: (pdu: Pdu) => void): void;
    enquire_link(answered?: (pdu: Pdu) => void): void;
    unbind(answered?: () => void): void;
    send(pdu: Pdu): void;
    close(answered?: () => void): void;
    destroy(): void;
  }
  export function connect(options: { url: string; connectTimeout?: number; debug?: boolean }): Session;
}

/**
 * Refused, reset or timed out; a server that stops, starts or has no connection left (57P0x, 53300, 08xxx); one that was
 * the primary and is no more (25006). What the connection was used for may or may not have been done.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|57P0[123]|53300|25006|08\w{3})$/.test(
      String(code),
    ) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
      String(message),
    )
  );
}

/** SQLSTATE of "whether it was committed is not known". */
export const outcomeUnknown = '08007';

/**
 * A commit whose wait for the standby is cut short, by a time limit or a shutdown, is reported as done with only this
 * warning. It would be lost with its server, so it must not be acknowledged.
 */
export function isUnreplicated(notice: string | undefined): boolean {
  return /synchronous replication/.test(notice ?? '');
}

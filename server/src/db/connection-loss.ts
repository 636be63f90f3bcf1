/**
 * The connection was refused, reset or timed out; the server is stopping, starting or out of connections (57P0x, 53300,
 * 08xxx); or it is no longer the primary (25006). Whether the statement took effect is unknown.
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

/** A serialization failure or a deadlock: the transaction was rolled back and may be retried. */
export const isRolledBack = (error: unknown): boolean =>
  /^40(?:001|P01)$/.test(String((error as { code?: unknown } | null)?.code ?? ''));

/** SQLSTATE of "transaction resolution unknown". */
export const outcomeUnknown = '08007';

/**
 * If the wait for the standby is cut short by a timeout or a shutdown, the server reports the commit as done with only
 * this warning. The commit would be lost with that server, so it must not be acknowledged.
 */
export function isUnreplicated(notice: string | undefined): boolean {
  return /synchronous replication/.test(notice ?? '');
}

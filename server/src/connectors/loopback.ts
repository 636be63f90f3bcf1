/** Whether a host, as it stands in an address, is this machine: what goes there crosses no network. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * The networks that an address belongs to, narrowest first. One customer of IPv6 has a whole /64 to send from, and whoever
 * wants more rents a /56 or a /48. An IPv4 address stands alone: its neighbours may be all other customers of a network.
 */
export function networksOf(address: string): [string, ...string[]] {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) return [plain];
  const [head = '', tail = ''] = plain.split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? Array(Math.max(8 - start.length - end.length, 0)).fill('0') : [];
  const groups = [...start, ...zeros, ...end].map((group) => group.padStart(4, '0'));
  const first = (digits: number) => groups.join('').slice(0, digits);
  return [`${first(16)}/64`, `${first(14)}/56`, `${first(12)}/48`];
}

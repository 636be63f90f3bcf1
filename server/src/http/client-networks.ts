/**
 * The networks that an address belongs to, narrowest first. One customer of IPv6 has a whole /64 to send from, and whoever
 * wants more rents a /56 or a /48. An IPv4 address may be shared by all customers of a mobile network, and so may its
 * neighbours: they count together only where many of them ask.
 */
export function networksOf(address: string): [string, ...string[]] {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) {
    const neighbours = /^(\d+\.\d+\.\d+)\.\d+$/.exec(plain)?.[1];
    return neighbours ? [plain, `${neighbours}.0/24`] : [plain];
  }
  const [head = '', tail = ''] = plain.split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? Array(Math.max(8 - start.length - end.length, 0)).fill('0') : [];
  const groups = [...start, ...zeros, ...end].map((group) => group.padStart(4, '0'));
  const first = (digits: number) => groups.join('').slice(0, digits);
  return [`${first(16)}/64`, `${first(14)}/56`, `${first(12)}/48`];
}

/** How many times more room each has than the narrowest, for as many networks as an address has. */
export function roomsOf(networks: number): readonly number[] {
  return networks === 2 ? [1, 16] : [1, 4, 16].slice(0, networks);
}

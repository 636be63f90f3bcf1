/** Staff of the emulated operator: one person per role, and a second where two people have to agree. */
export const people = [
  { name: 'Hanta', email: 'care@console.example', roles: ['care'] },
  { name: 'Rivo', email: 'finance@console.example', roles: ['finance'] },
  { name: 'Lalao', email: 'finance2@console.example', roles: ['finance'] },
  { name: 'Mamy', email: 'editor@console.example', roles: ['editor'] },
  { name: 'Noro', email: 'publisher@console.example', roles: ['publisher'] },
  { name: 'Tojo', email: 'operator@console.example', roles: ['operator'] },
  { name: 'Fara', email: 'operator2@console.example', roles: ['operator'] },
  { name: 'Vola', email: 'admin@console.example', roles: ['admin'] },
  { name: 'Zo', email: 'admin2@console.example', roles: ['admin'] },
] as const;

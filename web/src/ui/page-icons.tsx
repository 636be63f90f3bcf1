import { icon } from './draw-icon.tsx';

/** Icons that only single pages use, kept out of the entry script. */
export const BundleIcon = /* @__PURE__ */ icon('M12 3 3 7.5l9 4.5 9-4.5L12 3ZM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5');
export const BillIcon = /* @__PURE__ */ icon('M6 3h12v18l-3-2-3 2-3-2-3 2V3ZM9 8h6M9 12h6');
export const RouterIcon = /* @__PURE__ */ icon(
  'M4 14h16a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1ZM7 17h.01M11 17h.01M16 14V9M13.5 6.5a3.6 3.6 0 0 1 5 0M11 4a7 7 0 0 1 10 0',
);
export const GlobeIcon = /* @__PURE__ */ icon(
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c2.5 2.5 3.75 5.5 3.75 9S14.5 18.5 12 21c-2.5-2.5-3.75-5.5-3.75-9S9.5 5.5 12 3Z',
);
export const MapPinIcon = /* @__PURE__ */ icon(
  'M12 21c-4.5-4.5-7-8-7-11a7 7 0 0 1 14 0c0 3-2.5 6.5-7 11ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
);
export const StoreIcon = /* @__PURE__ */ icon(
  'M4.5 12.5V20h15v-7.5M5 4h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0l2-6ZM10 20v-4.5h4V20',
);
export const SearchIcon = /* @__PURE__ */ icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16 16l4.5 4.5');
export const RefundIcon = /* @__PURE__ */ icon('M4 8h11a5 5 0 0 1 0 10H8M8 4 4 8l4 4');
export const UserIcon = /* @__PURE__ */ icon('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21a8 8 0 0 1 16 0');

import { icon } from './draw-icon.tsx';

export const PhoneIcon = /* @__PURE__ */ icon(
  'M8 2.75h8a1.5 1.5 0 0 1 1.5 1.5v15.5a1.5 1.5 0 0 1-1.5 1.5H8a1.5 1.5 0 0 1-1.5-1.5V4.25A1.5 1.5 0 0 1 8 2.75ZM11 18h2',
);
export const CardIcon = /* @__PURE__ */ icon(
  'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM3 10h18M7 15h3',
);
export const WalletIcon = /* @__PURE__ */ icon(
  'M18 8V5a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h14a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a2 2 0 0 1-2-2V6M16 14h.01',
);
export const CheckIcon = /* @__PURE__ */ icon('m5 12.5 4.5 4.5L19 7.5');
export const CrossIcon = /* @__PURE__ */ icon('M6 6l12 12M18 6 6 18');
export const WarningIcon = /* @__PURE__ */ icon('M12 4 2.75 20h18.5L12 4ZM12 10v4.5M12 17.25h.01');
export const InfoIcon = /* @__PURE__ */ icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5.5M12 7.75h.01');
export const ClockIcon = /* @__PURE__ */ icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l3.5 2');
export const MenuIcon = /* @__PURE__ */ icon('M4 7h16M4 12h16M4 17h16');
export const ChevronDownIcon = /* @__PURE__ */ icon('m6 9 6 6 6-6');
export const ArrowLeftIcon = /* @__PURE__ */ icon('M20 12H4M10 6l-6 6 6 6');
export const HelpIcon = /* @__PURE__ */ icon(
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.75h.01',
);
export const ShareIcon = /* @__PURE__ */ icon('M12 15V3M8 7l4-4 4 4M7 11H5v10h14V11h-2');
export const DownloadIcon = /* @__PURE__ */ icon('M12 4v12M7 11l5 5 5-5M4 20h16');
export const LanguageIcon = /* @__PURE__ */ icon(
  'M3 6h10M8 3v3M11 6c-1 4-4 7-7.5 8.5M5.5 9c1.2 2.4 2.8 4.2 5 5.3M12 21l4.5-11L21 21M13.5 17.5h6',
);
export const FlameIcon = /* @__PURE__ */ icon(
  'M12 21.25a6.75 6.75 0 0 0 6.75-6.75c0-3.5-2.5-4.75-3.5-7.5-.5-1.4-.5-2.75-.5-4.25-3.25 1.5-5.25 4.25-5.25 7 0 1.75-2 1.75-2.5 0-1.2 1.2-1.75 2.9-1.75 4.75A6.75 6.75 0 0 0 12 21.25ZM12 21.25c-1.7 0-2.75-1.25-2.75-2.75 0-1.9 1.5-2.75 2.75-4.5 1.25 1.75 2.75 2.6 2.75 4.5 0 1.5-1.05 2.75-2.75 2.75Z',
);
export const WifiOffIcon = /* @__PURE__ */ icon(
  'M3 3l18 18M5 12.5a10 10 0 0 1 4.5-2.4M2 9a15 15 0 0 1 4-2.6M8.5 16a5 5 0 0 1 6-.8M11 5.5A15 15 0 0 1 22 9M15 10.4a10 10 0 0 1 4 2.1M12 20h.01',
);

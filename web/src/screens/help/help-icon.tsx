import { IconShape } from '../../ui/draw-icon.tsx';
import { CardIcon, HelpIcon, InfoIcon, PhoneIcon, WalletIcon, WarningIcon } from '../../ui/icon.tsx';
import {
  BillIcon,
  BundleIcon,
  GlobeIcon,
  MapPinIcon,
  RefundIcon,
  RouterIcon,
  StoreIcon,
  UserIcon,
} from '../../ui/page-icons.tsx';

const byCategory: Record<string, typeof HelpIcon> = {
  recharge: PhoneIcon,
  bundles: BundleIcon,
  bills: BillIcon,
  'fixed-internet': GlobeIcon,
  'ways-to-pay': CardIcon,
  pin: WalletIcon,
  codes: InfoIcon,
  refunds: RefundIcon,
  receipts: BillIcon,
  coverage: MapPinIcon,
  devices: PhoneIcon,
  sim: UserIcon,
  roaming: GlobeIcon,
  'home-broadband': RouterIcon,
  complaints: WarningIcon,
  'contact-details': StoreIcon,
};

export function CategoryIcon({ id }: { id: string }) {
  const Icon = byCategory[id] ?? HelpIcon;
  return <Icon />;
}

const up = 'M7 11v9H4v-9h3Zm0 0 4-8a2.5 2.5 0 0 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1.1 7A2 2 0 0 1 17.9 20H7';

export const ThumbUpIcon = () => <IconShape path={up} />;
export const ThumbDownIcon = () => <IconShape path={up} transform="rotate(180 12 12)" />;

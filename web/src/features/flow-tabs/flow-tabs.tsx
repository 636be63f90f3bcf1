import { paths } from '@portal/domain/paths.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { BillIcon, BundleIcon, GlobeIcon, RouterIcon } from '../../ui/page-icons.tsx';
import { TabsNav } from '../../ui/tabs-nav.tsx';

/** Tabs for the five main flows, on each of their pages. */
export function FlowTabs({ current }: { current: string }) {
  const { t } = usePage();
  const tabs = [
    { href: paths.prepaidRecharge, label: t('common.recharge'), icon: <PhoneIcon /> },
    { href: paths.dataBundle, label: t('common.bundles'), icon: <BundleIcon /> },
    { href: paths.postpaidBillPay, label: t('common.bill'), icon: <BillIcon /> },
    { href: paths.broadbandRecharge, label: t('common.broadband'), icon: <RouterIcon /> },
    { href: paths.fixedInternet, label: t('common.fixedInternet'), icon: <GlobeIcon /> },
  ];
  return (
    <TabsNav
      as={Link}
      label={t('common.flows')}
      items={tabs.map((tab) => ({ ...tab, current: tab.href === current }))}
    />
  );
}

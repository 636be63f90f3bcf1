import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../ui/card.tsx';
import { GlobeIcon, HelpIcon, MapPinIcon, StoreIcon } from '../../ui/icon.tsx';
import styles from './home.module.css';

export function Screen() {
  const { t, operator } = usePage();
  const links = [
    { href: paths.help, icon: <HelpIcon />, title: t('common.help'), text: t('home.helpText') },
    { href: paths.storeLocatorAlias, icon: <StoreIcon />, title: t('common.stores'), text: t('home.storesText') },
    { href: paths.openNetworks, icon: <MapPinIcon />, title: t('common.coverage'), text: t('home.coverageText') },
    { href: paths.homeBroadband, icon: <GlobeIcon />, title: t('common.homeBroadband'), text: t('home.broadbandText') },
  ];
  return (
    <div className={styles.page}>
      <div className={styles.words}>
        <h1>{t('home.title')}</h1>
        <p>{t('home.lead', { brand: operator.brand.name })}</p>
      </div>
      <Card>
        <FlowTabs current={paths.prepaidRecharge} />
        <RechargeForm redirectPage={paths.home} />
      </Card>
      <section className={styles.more} aria-labelledby="more">
        <h2 id="more">{t('home.more')}</h2>
        <ul>
          {links.map(({ href, icon, title, text }) => (
            <li key={href}>
              <Link href={href}>
                {icon}
                <span>
                  <strong>{title}</strong>
                  {text}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

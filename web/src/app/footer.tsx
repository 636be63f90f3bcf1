import { Link } from '../lib/link.tsx';
import { usePage } from '../lib/page.tsx';
import { moneyPath, paths, shopsPath } from '../lib/paths.ts';
import styles from './footer.module.css';
import type { Chrome } from './initial-page.ts';

export function Footer({ content }: { content: Chrome['footer'] }) {
  const { t, operator } = usePage();
  const { slug, name } = operator.brand;
  const groups = content?.groups ?? [
    {
      title: t('common.services'),
      links: [
        { label: t('common.recharge'), href: paths.prepaidRecharge },
        { label: t('common.bundles'), href: paths.dataBundle },
        { label: t('common.tariffs'), href: paths.tariffTable },
        { label: t('common.bill'), href: paths.postpaidBillPay },
        { label: t('common.broadband'), href: paths.broadbandRecharge },
        { label: t('common.fixedInternet'), href: paths.fixedInternet },
        { label: t('common.homeBroadband'), href: paths.homeBroadband },
        { label: t('common.leadStatus'), href: paths.homeBroadbandStatus },
        { label: t('common.wallet', { brand: name }), href: moneyPath(slug) },
      ],
    },
    {
      title: t('common.help'),
      links: [
        { label: t('common.helpCentre'), href: paths.help },
        { label: t('common.contact'), href: paths.contactUs },
        { label: t('common.feedback'), href: paths.feedback },
        { label: t('common.paymentStatus'), href: paths.paymentStatus },
      ],
    },
    {
      title: t('common.near'),
      links: [
        { label: t('common.stores'), href: paths.storeLocatorAlias },
        { label: t('common.shopList', { brand: name }), href: shopsPath(slug) },
        { label: t('common.dealers'), href: paths.dealers },
        { label: t('common.coverage'), href: paths.openNetworks },
      ],
    },
    {
      title: name,
      links: [
        { label: t('common.about'), href: paths.about },
        { label: t('common.privacy'), href: paths.privacy },
      ],
    },
  ];
  return (
    <footer className={styles.footer}>
      <div className={styles.groups}>
        {groups.map(({ title, links }) => (
          <nav key={title} aria-label={`${name}: ${title}`}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ label, href }) => (
                <li key={href}>
                  <Link href={href}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p>{content?.note ?? t('common.callUs', { care: operator.care.number })}</p>
    </footer>
  );
}

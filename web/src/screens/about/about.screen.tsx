import { paths } from '@portal/domain/paths.ts';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './about.module.css';

export interface AboutLoaded {
  missing: boolean;
}

/** The about page; also shown for unknown URLs, with a note. */
export function Screen({ loaded }: ScreenProps<AboutLoaded>) {
  const { t, operator, path } = usePage();
  const missing = loaded?.missing ?? path !== paths.about;
  return (
    <div className={styles.page}>
      {missing && (
        <Notice
          kind="info"
          title={t('about.missing')}
          action={
            <ButtonLink as={Link} href={paths.home} kind="secondary">
              {t('common.toHome')}
            </ButtonLink>
          }
        />
      )}
      <h1>{t('about.title', { brand: operator.brand.name })}</h1>
      <p>{t('about.text', { brand: operator.brand.name })}</p>
      <p>{t('about.money')}</p>
      <Card>
        <h2>{t('common.services')}</h2>
        <FlowTabs current="" />
      </Card>
    </div>
  );
}

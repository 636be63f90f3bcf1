import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** A page that is not there yet says so, and leads on. */
export function Screen() {
  const { t, operator } = usePage();
  return (
    <>
      <h1 className="visually-hidden">{t('notBuilt.title')}</h1>
      <Notice
        kind="info"
        large
        title={t('notBuilt.title')}
        action={
          <ButtonLink as={Link} href={paths.home}>
            {t('common.toHome')}
          </ButtonLink>
        }
      >
        {t('notBuilt.text', { care: operator.care.number })}
      </Notice>
    </>
  );
}

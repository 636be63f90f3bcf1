import { mapDefaults } from '@portal/domain/constants.ts';
import type { Coverage, Generation } from '@portal/domain/coverage.ts';
import { writeNumber } from '@portal/domain/number-format.ts';
import type { Place } from '../../features/map/find-place.ts';
import { usePage } from '../../lib/page.tsx';
import { Card } from '../../ui/card.tsx';
import { Chip, ChipRow } from '../../ui/chip.tsx';
import styles from './open-networks.module.css';

function useDistance() {
  const { language } = usePage();
  return (kilometres: number) => writeNumber(kilometres.toFixed(1), language.formats);
}

/** The answer as text first; the map only shows the same. */
export function CoverageAnswer({ place, coverage }: { place: Place; coverage: Coverage }) {
  const { t } = usePage();
  const distance = useDistance();
  const { best, byGeneration, nearest } = coverage;
  const nearestAway = nearest[0]?.kilometres;
  const words = best
    ? t(`coverage.answer.${best.reception}`, { generation: best.generation, distance: distance(best.kilometres) })
    : nearestAway !== undefined && t('coverage.answer.none', { distance: distance(nearestAway) });
  return (
    <Card>
      <h2>{place.label}</h2>
      <p className={styles.words} data-reception={best?.reception ?? 'none'}>
        {words || t('coverage.noSites')}
      </p>
      <h3>{t('coverage.byGeneration')}</h3>
      <dl className={styles.generations}>
        {byGeneration.map(({ generation, reception, kilometres }) => (
          <div key={generation} data-reception={reception}>
            <dt>{generation}</dt>
            <dd>
              <strong>{t(`coverage.reception.${reception}`)}</strong>{' '}
              <span>{t('coverage.nearestSite', { distance: distance(kilometres) })}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.small}>
        {t('coverage.colours')} {t('coverage.estimate')}
      </p>
    </Card>
  );
}

export const signs = ['site', 'fifth', 'around', 'cluster'] as const;

/**
 * The map's marker, drawn in the page: nothing of the map is loaded before it comes into view. Its meaning is written
 * beside it, here and in the legend.
 */
export function SiteSign({ sign }: { sign: (typeof signs)[number] }) {
  return (
    <span className={styles.sign} data-sign={sign} aria-hidden="true">
      {sign === 'cluster' && 12}
      {(sign === 'site' || sign === 'fifth') && <Pin isFifth={sign === 'fifth'} />}
    </span>
  );
}

function Pin({ isFifth }: { isFifth: boolean }) {
  const { markerWidth: width, markerHeight: height } = mapDefaults;
  return (
    <svg viewBox="0 0 15 30" aria-hidden="true" {...{ width, height }}>
      <path d="M7.5 30 4.2 13.2a6.6 6.6 0 1 1 6.6 0Z" fill={isFifth ? '#c8410b' : '#1d1b3a'} stroke="#fff" />
      {isFifth ? (
        <text x="7.5" y="10.2" fontFamily="sans-serif" fontSize="7" fontWeight="700" textAnchor="middle" fill="#fff">
          5G
        </text>
      ) : (
        <circle cx="7.5" cy="7.4" r="2.6" fill="#fff" />
      )}
    </svg>
  );
}

export function NearestSites({ coverage, generation }: { coverage: Coverage; generation: Generation | null }) {
  const { t } = usePage();
  const distance = useDistance();
  if (coverage.nearest.length === 0) return null;
  return (
    <section>
      <h2>{generation ? t('coverage.nearestWith', { generation }) : t('coverage.nearest')}</h2>
      <ol className={styles.sites}>
        {coverage.nearest.map(({ title, kilometres, direction, generations }) => (
          <li key={title}>
            <strong>
              <SiteSign sign={generations.includes('5G') ? 'fifth' : 'site'} />
              {title}
            </strong>
            <span>
              {t('coverage.away', { distance: distance(kilometres), direction: t(`map.direction.${direction}`) })}
            </span>
            <ChipRow>
              {generations.map((each) => (
                <Chip key={each}>{each}</Chip>
              ))}
            </ChipRow>
          </li>
        ))}
      </ol>
    </section>
  );
}

import { Box, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { identityOf } from '@portal/domain/content/package-rows.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import type { Package } from '../lib/content-package.ts';
import { useLanguage } from '../lib/language.tsx';
import { differencesOf } from '../lib/package-tree.ts';
import { useLanguageName } from '../lib/use-language-name.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageSection } from '../ui/page-section.tsx';

const widths = { phone: 360, desktop: 1280 } as const;
const height = 640;
/** Smaller than this nobody can read it: what is still too wide is scrolled to. */
const smallest = 0.75;
/** The preview's URL is valid for five minutes. */
const freshMs = 4 * 60_000;

interface Props {
  found: Package;
  /** Which versions it shows. */
  text?: 'content.previewText' | 'approvals.previewText';
}

/** The customers' page with the working version of each language, as wide as a phone or a desktop. */
export function ContentPreview({ found, text = 'content.previewText' }: Props) {
  const { say } = useLanguage();
  return (
    <PageSection title="content.preview">
      <Text size="sm" mb="xs">
        {say(text)}
      </Text>
      <Disclosure label={say('content.showPreview')}>{() => <Framed found={found} />}</Disclosure>
    </PageSection>
  );
}

/** The page of the first changed item, such as a help answer; null where none has a page of its own. */
function changedPath({ seenAt, pages }: Package): string | null {
  const items = pages.flatMap(({ shownBody, body }) =>
    differencesOf(shownBody, body).flatMap(({ trail }) =>
      trail.flatMap((step) => (typeof step === 'object' && 'item' in step ? (identityOf(step.item) ?? []) : [])),
    ),
  );
  return seenAt.find(({ path }) => items.includes(`id ${path.slice(path.lastIndexOf('/') + 1)}`))?.path ?? null;
}

/** The width that the customers' pages leave for a scroll bar, which a phone has not: it is cut off at the right. */
function scrollGutter(): number {
  const outer = document.createElement('div');
  Object.assign(outer.style, { position: 'absolute', width: '100px', overflow: 'auto', scrollbarGutter: 'stable' });
  const inner = outer.appendChild(document.createElement('div'));
  document.body.append(outer);
  const gutter = 100 - inner.offsetWidth;
  outer.remove();
  return gutter;
}

function Framed({ found }: { found: Package }) {
  const { say } = useLanguage();
  const nameOf = useLanguageName();
  const [chosen, setPath] = useState<string | null>(null);
  const path = chosen ?? changedPath(found) ?? found.seenAt[0]?.path ?? '/';
  const [gutter] = useState(scrollGutter);
  const [page, setPage] = useState(found.pages[0]?.page ?? '');
  const [width, setWidth] = useState<keyof typeof widths>('phone');
  const { ref: place, width: room } = useElementSize();
  // Its border takes two pixels.
  const scale = room > 0 ? Math.min(1, Math.max(smallest, (room - 2) / widths[width])) : 1;
  const locale = found.pages.find((one) => one.page === page)?.locale;
  const titleOf = ({ path: own, titles }: Package['seenAt'][number]) =>
    (locale && titles[locale]) || Object.values(titles)[0] || own;
  const shown = found.seenAt.find((one) => one.path === path);
  const title = say('content.frame', { page: shown ? titleOf(shown) : path });
  const prefix = page.slice(0, page.lastIndexOf('/'));
  const at = prefix + (prefix && path === '/' ? '' : path);
  const drafts = found.pages.map((one) => `${one.page} ${one.working}`).join(',');
  const preview = useQuery({
    queryKey: ['preview', drafts, at],
    queryFn: () => call('contentPreview', { drafts, at }),
    staleTime: freshMs,
    refetchInterval: freshMs,
  });
  return (
    <Stack>
      <Group align="end">
        {found.pages.length > 1 && (
          <NativeSelect
            label={say('app.language')}
            value={page}
            onChange={(event) => setPage(event.currentTarget.value)}
            data={found.pages.map((one) => ({ value: one.page, label: nameOf(one.locale ?? '') }))}
          />
        )}
        <NativeSelect
          label={say('content.seenAt')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          data={found.seenAt.map((one) => ({ value: one.path, label: titleOf(one) }))}
          maw="100%"
        />
        <Group gap="xs" role="group" aria-label={say('content.width')}>
          {(['phone', 'desktop'] as const).map((one) => (
            <Button
              key={one}
              size="sm"
              variant={one === width ? 'filled' : 'default'}
              aria-pressed={one === width}
              onClick={() => setWidth(one)}
            >
              {say(`content.${one}`)}
            </Button>
          ))}
        </Group>
      </Group>
      <Loaded query={preview}>
        {({ address }) => (
          <div ref={place}>
            {/* Wider content can be scrolled with the keyboard too. */}
            <Box className="frame" tabIndex={0} role="group" aria-label={title}>
              <Box className="scaled" w={widths[width] * scale} h={height * scale}>
                <iframe
                  title={title}
                  src={address}
                  width={widths[width] + gutter}
                  height={height}
                  style={{ transform: `scale(${scale})` }}
                />
              </Box>
            </Box>
          </div>
        )}
      </Loaded>
    </Stack>
  );
}

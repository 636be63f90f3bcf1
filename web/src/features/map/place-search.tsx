import { inputDebounceMilliseconds } from '@portal/domain/constants.ts';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { activeAfterKey } from '../../ui/combobox-state.ts';
import { useEarlyInput } from '../../ui/early-input.ts';
import { controlProps, FieldFrame } from '../../ui/field-frame.tsx';
import { comboboxControl, Listbox } from '../../ui/listbox.tsx';
import { SearchIcon } from '../../ui/page-icons.tsx';
import type { Place } from './find-place.ts';
import styles from './place-search.module.css';

export interface PlaceSearchProps {
  label: string;
  placeholder: string;
  hint?: string;
  error?: string | undefined;
  /** URL of the form without script. */
  action: string;
  initial: string;
  busy: boolean;
  onSearch: (text: string) => void;
  onChoose: (place: Place) => void;
  children?: ReactNode;
}

const none: readonly Place[] = [];

/** A search box with suggestions; a plain form until hydrated. */
export function PlaceSearch(props: PlaceSearchProps) {
  const { label, placeholder, hint, error, action, initial, busy, onSearch, onChoose, children } = props;
  const { t } = usePage();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(typed);
  const isOpen = typed !== null && suggestions.length > 0;
  useEarlyInput(input);

  // Back and links change the text; what was typed before hydration does not override them.
  const followed = useRef(initial);
  useEffect(() => {
    if (followed.current !== initial) setText(initial);
    followed.current = initial;
  }, [initial]);

  function close() {
    setTyped(null);
    setActive(-1);
  }

  function choose(place: Place | undefined) {
    if (!place) return;
    setText(place.label);
    close();
    onChoose(place);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    close();
    onSearch(text);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return;
    const next = activeAfterKey(event.key, active, suggestions.length);
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && active >= 0) choose(suggestions[active]);
    else if (next !== undefined && event.key.startsWith('Arrow')) setActive(next);
    else return;
    event.preventDefault();
  }

  return (
    <form method="get" action={action} onSubmit={submit} className={styles.form}>
      <FieldFrame id={id} label={label} hint={hint} error={error}>
        <input
          {...controlProps(id, error)}
          ref={input}
          name="q"
          type="text"
          {...comboboxControl(id, { isOpen, active })}
          enterKeyHint="search"
          maxLength={300}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setTyped(event.currentTarget.value);
            setActive(-1);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {isOpen && (
          <Listbox
            id={id}
            options={suggestions.map(({ label }, index) => ({ key: label, label, isSelected: index === active }))}
            active={active}
            onChoose={(index) => choose(suggestions[index])}
          />
        )}
      </FieldFrame>
      <Button type="submit" busy={busy}>
        <SearchIcon size={20} />
        {t('map.search')}
      </Button>
      {children}
    </form>
  );
}

/** Ignore a response for an older text. */
function useSuggestions(text: string | null): readonly Place[] {
  const { api, language } = usePage();
  const q = text?.trim() ?? '';
  const isAsked = q.length >= 2 && q.length <= 100;
  const call = useCall(
    isAsked ? `${language.code} ${q}` : null,
    async (signal) => {
      const answer = await api('suggestPlaces', { query: { q }, signal });
      if (!answer.ok) return answer;
      return { ok: true, result: answer.result.suggestions.map(({ label, location }) => ({ label, ...location })) };
    },
    { debounceMs: inputDebounceMilliseconds },
  );
  return call.state === 'loaded' ? call.result : none;
}

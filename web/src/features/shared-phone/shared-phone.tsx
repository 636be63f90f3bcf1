import { paths } from '@portal/domain/paths.ts';
import { useEffect } from 'react';
import { deviceKeys } from '../../lib/device-keys.ts';
import { usePage } from '../../lib/page.tsx';
import { forgetTab, isPhoneShared, leaveNoNamesBehind, sharedPhoneEvent } from '../../lib/shared-phone.ts';
import { isPaying } from '../../offline/busy-rules.ts';
import { forgetAnswers, forgetEntries, forgetThisEntry, keepAnswersAgain } from './forget.ts';

function forgetAll(): void {
  forgetTab();
  forgetAnswers().catch(() => {});
  forgetEntries().catch(() => {});
}

/** Keeps a shared phone free of what somebody leaves behind while they use it. */
export function SharedPhone() {
  const { path } = usePage();

  // Home is where the next person begins.
  useEffect(() => {
    if (path === paths.home && isPhoneShared()) forgetAll();
  }, [path]);

  useEffect(() => {
    const onTold = () => (isPhoneShared() ? forgetAll() : keepAnswersAgain().catch(() => {}));
    window.addEventListener(sharedPhoneEvent, onTold);
    return () => window.removeEventListener(sharedPhoneEvent, onTold);
  }, []);

  useEffect(() => {
    const { history } = window;
    const push = history.pushState;
    history.pushState = (state, unused, address) => {
      // Without an address it is the same page once more, which needs what its address says.
      if (address && isPhoneShared()) forgetThisEntry();
      push.call(history, state, unused, address);
    };
    const onLeave = () => {
      if (isPhoneShared()) forgetThisEntry();
    };
    const onShow = (event: PageTransitionEvent) => leaveNoNamesBehind(event.persisted);
    window.addEventListener('pagehide', onLeave);
    window.addEventListener('pageshow', onShow);
    return () => {
      history.pushState = push;
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);

  // Told in another tab: this one forgets too, unless somebody pays in it, which ends at home or with the tab.
  useEffect(() => {
    const onChange = ({ key, newValue }: StorageEvent) => {
      if (key === deviceKeys.shared && newValue !== null && !isPaying(path)) forgetAll();
    };
    window.addEventListener('storage', onChange);
    return () => window.removeEventListener('storage', onChange);
  }, [path]);

  return null;
}

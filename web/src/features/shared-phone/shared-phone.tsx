import { paths } from '@portal/domain/paths.ts';
import { useEffect, useRef } from 'react';
import { deviceKeys } from '../../lib/device-keys.ts';
import { usePage } from '../../lib/page.tsx';
import { withoutNames } from '../../lib/personal-address.ts';
import {
  forgetTab,
  isPhoneShared,
  isSharedSinceRequest,
  leaveNoNamesBehind,
  sharedPhoneEvent,
} from '../../lib/shared-phone.ts';
import { isPaying } from '../../offline/busy-rules.ts';
import {
  endVisit,
  endVisitUnlessPaying,
  forgetAnswers,
  forgetEntries,
  forgetThisEntry,
  keepAnswersAgain,
} from './forget.ts';

async function forgetAll(): Promise<void> {
  forgetTab();
  await Promise.allSettled([forgetAnswers(), forgetEntries()]);
}

/** Removes what a person leaves behind on a shared phone while it is in use. */
export function SharedPhone() {
  const { path } = usePage();
  const isFirst = useRef(true);

  // Home is where the next person starts.
  useEffect(() => {
    if (path !== paths.home || !isPhoneShared()) return;
    void forgetAll();
    endVisitUnlessPaying().catch(() => {});
  }, [path]);

  useEffect(() => {
    const onTold = () => {
      if (!isPhoneShared()) return void keepAnswersAgain().catch(() => {});
      void forgetAll();
      // The person who declared it shared holds the phone, so no tab's visit has to go on.
      endVisit().catch(() => {});
    };
    window.addEventListener(sharedPhoneEvent, onTold);
    return () => window.removeEventListener(sharedPhoneEvent, onTold);
  }, []);

  useEffect(() => {
    const { history } = window;
    const push = history.pushState;
    history.pushState = (state, unused, address) => {
      // Loads the same page again; without its query it would miss what it shows.
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

  // Called shared in another tab: this one clears its data and its screen too, unless somebody is paying in it; that
  // ends at home or with the tab. A payment's status stays visible as a stranger sees it.
  useEffect(() => {
    const isStatus = path === paths.paymentStatus;
    const clear = async () => {
      if (isPaying(path) && !isStatus) return;
      const { href } = window.location;
      await Promise.allSettled([forgetAll(), endVisit()]);
      window.location.replace((!isStatus && withoutNames(href)) || href);
    };
    const onChange = ({ key, newValue }: StorageEvent) => {
      if (key === deviceKeys.shared && newValue !== null) void clear();
    };
    // The phone may have been declared shared before this script loaded.
    if (isFirst.current && isSharedSinceRequest()) void clear();
    isFirst.current = false;
    window.addEventListener('storage', onChange);
    return () => window.removeEventListener('storage', onChange);
  }, [path]);

  return null;
}

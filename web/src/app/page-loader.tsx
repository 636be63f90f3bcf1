import { cacheSeconds } from '@portal/domain/constants.ts';
import { useEffect, useState } from 'react';
import { usePage } from '../lib/page.tsx';
import { Loader } from '../ui/loader.tsx';
import { BrandMark } from './brand-mark.tsx';
import { fetchPackage } from './navigation.ts';

interface LoaderTexts {
  wait: string;
  holdOn: string;
  loadingMessage: string;
}

const builtIn: LoaderTexts = {
  wait: 'Please wait ...',
  holdOn: 'Hold on!',
  loadingMessage: 'We are loading the page for you',
};

/** Its texts come from the content service; until then, or if it fails, the built-in ones are shown. */
export function PageLoader() {
  const { api, operator, language } = usePage();
  const [texts, setTexts] = useState(builtIn);
  useEffect(() => {
    let isGone = false;
    fetchPackage<LoaderTexts>(api, operator, language, 'loader-translation', cacheSeconds.loaderText).then((found) => {
      if (found && !isGone) setTexts({ ...builtIn, ...found });
    });
    return () => {
      isGone = true;
    };
  }, [api, operator, language]);
  return <Loader logo={<BrandMark size={48} />} title={texts.wait} lines={[texts.holdOn, texts.loadingMessage]} />;
}

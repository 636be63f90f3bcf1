export interface PageScripts {
  entry: string;
  all: readonly string[];
}

/**
 * Which browsers run our scripts. Older ones (Chrome below 93, Safari below 15.4, Firefox below 98) would fail in the
 * middle of hydration; they use the page as without script, and their forms post.
 */
const runsScript = 'Object.hasOwn&&window.HTMLDialogElement';

/**
 * Fetches the scripts after the first paint, the largest first, and runs them when the browser is idle, or at the first
 * touch or key, whichever is sooner. The screen's script runs together with the entry; the entry reports failures.
 */
export function loaderScript(
  { scripts: { entry, all }, refreshSeconds }: { scripts: PageScripts; refreshSeconds: number | undefined },
  screen: string,
): string {
  const scripts = JSON.stringify([entry, ...all.filter((script) => script !== entry)]);
  return `(function(){if(!(${runsScript})){document.documentElement.className="no-script";${refreshSeconds ? `setTimeout(function(){location.reload()},${refreshSeconds * 1000});` : ''}return}var p,d;function f(){if(p)return;p=1;${scripts}.forEach(function(s){var l=document.createElement("link");l.rel="modulepreload";l.href=s;document.head.append(l)})}
function g(){if(d)return;d=1;f();import(${JSON.stringify(entry)});import(${JSON.stringify(screen)}).catch(function(){})}
["pointerdown","keydown","focusin"].forEach(function(e){addEventListener(e,g,{once:true,capture:true,passive:true})});
addEventListener("click",function(e){var a=e.target.closest("a[hreflang]");try{if(a)sessionStorage.selectedLanguage=/lang=(\\w+)/.exec(a.href)[1]}catch(x){}});
var i=window.requestIdleCallback||function(h){setTimeout(h,200)};requestAnimationFrame(function(){setTimeout(function(){f();i(g,{timeout:2000})},0)})})()`;
}

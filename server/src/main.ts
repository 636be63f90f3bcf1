import { openDatabase } from './db/database.ts';
import { openWebBuild } from './render/web-build.ts';
import { startPortal, startProblem } from './start-portal.ts';

try {
  const url = await startPortal({ openWeb: openWebBuild, openDatabase });
  console.log(JSON.stringify({ ready: true, url }));
} catch (error) {
  console.error(startProblem(error));
  process.exit(1);
}

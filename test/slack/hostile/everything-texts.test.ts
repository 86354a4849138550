import { describeEverything } from './everything.ts';
import { hostileTexts } from './services.ts';

describeEverything(hostileTexts);

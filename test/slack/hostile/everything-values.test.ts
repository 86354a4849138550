import { describeEverything } from './everything.ts';
import { hostileValues } from './services.ts';

describeEverything(hostileValues);

import { describeEveryOperation } from './every-operation-suite.ts';
import { hostileTexts } from './hostile-payloads.ts';

describeEveryOperation(hostileTexts);

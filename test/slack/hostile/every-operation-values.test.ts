import { describeEveryOperation } from './every-operation-suite.ts';
import { hostileValues } from './hostile-payloads.ts';

describeEveryOperation(hostileValues);

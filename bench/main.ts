import { benchAcks } from './acks.ts';
import { benchQuota } from './quota.ts';

await benchQuota();
await benchAcks();

import type { RrdHistory } from '../../../../src/hosting/payloads/history.ts';
import type { LiveMetrics } from '../../../../src/hosting/payloads/live-metrics.ts';
import type { Finding } from '../../../../src/monitoring/reports/findings/finding.ts';
import type { SummarySettings } from '../../../../src/monitoring/reports/findings/thresholds.ts';
import { buildVpsReport } from '../../../../src/monitoring/reports/summary/vps-report.ts';
import { scope } from '../../shared/histories.ts';

interface Given {
  readonly live?: Partial<LiveMetrics>;
  readonly settings?: Partial<SummarySettings>;
}

export function find(histories: readonly RrdHistory[], { live, settings }: Given = {}): readonly Finding[] {
  const reading = live && { unrecognized: [], record: {}, ...live };
  return buildVpsReport({ name: 'VPS-10001', histories, live: reading }, scope(settings)).findings;
}

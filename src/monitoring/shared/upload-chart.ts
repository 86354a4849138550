import type { Chart } from '../../operations/define/outcome.ts';

/** Uploads a chart without sharing it. Resolves to undefined if the upload fails. */
export type UploadChart = (teamId: string, chart: Chart) => Promise<string | undefined>;

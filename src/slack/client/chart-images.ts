import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChartRenderer, RenderOptions } from '../../charts/chart-renderer.ts';
import type { Chart } from '../../operations/define/outcome.ts';
import type { SlackClient, SlackClients } from './slack-clients.ts';
import { missingScope } from './slack-errors.ts';
import { uploadFile } from './upload-file.ts';

/** How long to wait for Slack to detect an image's type. */
const processingTimeoutMs = 20_000;

/** Pause between polls for a file's type. A message can't show the image before its type is known. */
const pollIntervalMs = 500;

/** The ID of an uploaded image, or a sentence that says why there is no image. */
export type ChartUpload = { readonly fileId: string } | { readonly problem: string };

export interface ChartImages {
  /** Uploads a chart's image without sharing it. */
  upload(chart: Chart, teamId: string, options?: RenderOptions): Promise<ChartUpload>;
}

export function createChartImages(
  charts: ChartRenderer,
  clients: SlackClients,
  log: Pick<Logger, 'error'>,
): ChartImages {
  async function send(client: SlackClient, chart: Chart, options?: RenderOptions): Promise<string> {
    const { png } = await charts.render(chart.spec, options);
    // The alternative text is set in the block instead, because files with `alt_txt` can't be shared
    // (slackapi/python-slack-sdk#1818).
    const id = await uploadFile(client, {
      name: 'graph.png',
      title: chart.spec.title,
      content: png,
    });
    const signal = AbortSignal.timeout(processingTimeoutMs);
    while (!(await client.files.info({ file: id })).file?.mimetype) {
      await delay(pollIntervalMs, undefined, { signal });
    }
    return id;
  }

  return {
    async upload(chart, teamId, options) {
      try {
        return { fileId: await send(await clients(teamId), chart, options) };
      } catch (error) {
        const scope = missingScope(error);
        if (scope !== undefined) {
          return { problem: `The graph can't be uploaded: the app lacks the Slack scope ${scope}.` };
        }
        log.error({ err: error }, 'a chart could not be uploaded to Slack');
        return { problem: "The graph couldn't be uploaded to Slack." };
      }
    },
  };
}

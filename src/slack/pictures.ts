import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { Charts } from '../charts/charts.ts';
import type { Chart } from '../operations/outcome.ts';
import type { SlackClient, SlackClients } from './clients.ts';
import { limits } from './render/limits.ts';
import { clip } from './render/text.ts';

/** How long Slack may take to receive a picture, and to find out what it is. */
const uploadWithinMs = 20_000;

/** Pause between two questions whether Slack knows what a file is: until then no message can show it. */
const askAgainMs = 500;

/** Draws the charts of outcomes and brings them to Slack. */
export interface Pictures {
  /** Uploads the picture of a chart, shared with nobody yet, and gives the id of its file; nothing where that fails. */
  upload(chart: Chart, teamId: string): Promise<string | undefined>;
}

/** Creates what draws and uploads pictures. */
export function createPictures(charts: Charts, clients: SlackClients, log: Pick<Logger, 'error'>): Pictures {
  async function send(client: SlackClient, chart: Chart): Promise<string> {
    const { png } = await charts.draw(chart.spec);
    const { upload_url, file_id } = await client.files.getUploadURLExternal({
      filename: 'graph.png',
      length: png.length,
      alt_text: clip(chart.takeaway, limits.fileAltTextChars),
    });
    if (!upload_url || !file_id) throw new Error('Slack gave no place for a file');
    const signal = AbortSignal.timeout(uploadWithinMs);
    const response = await request(upload_url, { method: 'POST', body: png, signal });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`Slack took no file (${response.statusCode})`);
    await client.files.completeUploadExternal({ files: [{ id: file_id, title: chart.spec.title }] });
    while (!(await client.files.info({ file: file_id })).file?.mimetype) {
      await delay(askAgainMs, undefined, { signal });
    }
    return file_id;
  }

  return {
    async upload(chart, teamId) {
      try {
        return await send(await clients(teamId), chart);
      } catch (error) {
        log.error({ err: error }, 'a picture could not be brought to Slack');
        return undefined;
      }
    },
  };
}

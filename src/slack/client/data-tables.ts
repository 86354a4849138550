import type { types } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { toPlainTable } from '../blocks/elements/table.ts';
import { isSlackPlatformError } from './slack-errors.ts';

type Content = Readonly<Record<string, unknown>>;

/** Sends data tables to workspaces where Slack accepts them, and plain tables to other workspaces. */
export interface DataTables {
  /** Replaces a message's data tables, if the workspace is known to refuse them. */
  adapt(teamId: string, content: Content): Content;
  /** Sends a message. If Slack refuses a data table, sends the message again with a plain table. */
  send<Result>(
    teamId: string,
    content: Content,
    send: (content: Content) => Promise<Result>,
  ): Promise<Result>;
}

/** How long a workspace's refusal is remembered. Slack rolls out new blocks workspace by workspace. */
const rememberedMs = 24 * 3_600_000;
const maxWorkspaces = 1_000;

export function createDataTables(): DataTables {
  const refusing = new LRUCache<string, true>({ max: maxWorkspaces, ttl: rememberedMs });
  const adapt: DataTables['adapt'] = (teamId, content) =>
    refusing.has(teamId) ? withPlainTables(content) : content;

  return {
    adapt,
    async send(teamId, content, send) {
      const adapted = adapt(teamId, content);
      try {
        return await send(adapted);
      } catch (error) {
        if (!hasDataTable(adapted) || !isInvalidBlocksError(error)) throw error;
        const result = await send(withPlainTables(adapted));
        // Slack accepted the message with plain tables, so the data tables were the reason.
        refusing.set(teamId, true);
        return result;
      }
    },
  };
}

function isInvalidBlocksError(error: unknown): boolean {
  return isSlackPlatformError(error) && error.data.error === 'invalid_blocks';
}

function hasDataTable({ blocks }: Content): boolean {
  return Array.isArray(blocks) && blocks.some(isDataTable);
}

function withPlainTables(content: Content): Content {
  const { blocks } = content;
  if (!Array.isArray(blocks)) return content;
  return { ...content, blocks: blocks.map((block) => (isDataTable(block) ? toPlainTable(block) : block)) };
}

function isDataTable(block: unknown): block is types.DataTableBlock {
  return typeof block === 'object' && block !== null && 'type' in block && block.type === 'data_table';
}

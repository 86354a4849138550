import type { types } from '@slack/bolt';
import { formatAction } from '../../audit/audit-entry.ts';
import type { QuotaUsage } from '../../hosting/rate-limit/rate-limiter.ts';
import { hintSeparator } from '../../operations/choices/sources/vps.ts';
import type { Choice } from '../../operations/define/arguments/choice-source.ts';
import type { NextStep } from '../../operations/define/outcome.ts';
import type { Problem } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { buttonRow, factLines, mrkdwn, noteBlocks, stepButtons } from '../blocks/elements/blocks.ts';
import { button, toChooseBlockId } from '../blocks/elements/buttons.ts';
import { limits } from '../blocks/elements/limits.ts';
import { escapeText, plainText, truncate } from '../blocks/elements/text.ts';
import { formatState } from '../blocks/elements/value.ts';
import { renderProblem } from '../blocks/problem.ts';

/** VPS per page. With the other blocks, they fit into the 100 blocks of a Home and onto a phone. */
const vpsPerPage = 15;

const maxHintChars = 120;

/** How many parts of a hint are shown beside a VPS's menu. More don't fit on a phone. */
const maxHintParts = 3;

/** The API key on the App Home. If it can't be used, the reason, and the button that fixes it. */
export type HomeKey =
  | {
      readonly kind: 'available';
      readonly service?: string | undefined;
      readonly permissions: readonly string[];
    }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly remedyStep?: NextStep };

/** A run with its status text. */
interface RecentRun {
  readonly run: Run;
  readonly statusText: string;
}

/** Content of the App Home. If a part could not be read, it is a sentence with the reason. */
export interface HomeFacts {
  readonly key: HomeKey;
  readonly usage?: QuotaUsage;
  readonly fleet: readonly Choice[] | string;
  /** Whether the service can have VPS that weren't read. */
  readonly isFleetPartial?: boolean;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusing?: boolean;
  readonly recent: readonly RecentRun[];
  readonly nowMs: number;
}

/** Operations in a VPS's menu. Slack's overflow menu can have five. */
const vpsMenu = [
  ['show', 'Show'],
  ['graph', 'Graph'],
  ['live', 'Live Data'],
  ['reboot', 'Reboot'],
  ['snapshot create', 'Take Snapshot'],
] as const;

const refusalText =
  "⚠️ The hosting service doesn't answer. Rackhand sends it no changes until it answers again.";

/** Builds the App Home: the fleet with a menu for each VPS, the API key and quota, and recent changes. */
export function buildHomeView(
  { key, usage, fleet, isFleetPartial = false, isRefusing = false, recent, nowMs }: HomeFacts,
  page = 0,
): types.HomeView {
  return {
    type: 'home',
    private_metadata: JSON.stringify({ page }),
    blocks: [
      header('VPS'),
      ...(isRefusing ? [mrkdwn(refusalText)] : []),
      ...fleetBlocks(fleet, isFleetPartial, page),
      { type: 'divider' },
      header('API key'),
      ...keyBlocks(key, usage),
      { type: 'divider' },
      header('Recent changes'),
      ...recentBlocks(recent),
      { type: 'divider' },
      updatedAtBlock(nowMs),
      ...buttonRow([button('home:refresh', 'Refresh', String(page))]),
    ],
  };
}

/** Builds the App Home of a person without access. It says why, and who can help. */
export function buildDeniedHomeView(problem: Problem): types.HomeView {
  return {
    type: 'home',
    private_metadata: JSON.stringify({ page: 0 }),
    blocks: [...renderProblem(problem).blocks, ...buttonRow([button('home:refresh', 'Refresh', '0')])],
  };
}

function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plainText(text, limits.headerChars) };
}

function fleetBlocks(fleet: HomeFacts['fleet'], isPartial: boolean, page: number): types.KnownBlock[] {
  if (typeof fleet === 'string') return [mrkdwn(escapeText(fleet))];
  if (fleet.length === 0) return [mrkdwn("The API key's account has no VPS.")];
  const pages = Math.ceil(fleet.length / vpsPerPage);
  const shown = Math.min(page, pages - 1);
  const first = shown * vpsPerPage;
  const pageVps = fleet.slice(first, first + vpsPerPage);
  const pageButtons = [
    ...(shown > 0 ? [button('home:previous', 'Previous', String(shown - 1))] : []),
    ...(shown < pages - 1 ? [button('home:next', 'Next', String(shown + 1))] : []),
  ];
  return [
    mrkdwn(formatStateCounts(fleet, isPartial)),
    ...(pages > 1 ? searchBlocks() : []),
    ...pageVps.map(vpsBlock),
    ...(pages > 1 ? noteBlocks([`${first + 1} to ${first + pageVps.length} of ${fleet.length}`]) : []),
    ...buttonRow(pageButtons),
  ];
}

/** Counts VPS by state: "12 VPS   🟢 11 running   ⚪ 1 stopped". */
function formatStateCounts(fleet: readonly Choice[], isPartial: boolean): string {
  const counts = new Map<string, number>();
  for (const { state = 'not shown' } of fleet) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = [...counts].sort(([, a], [, b]) => b - a);
  const stateTexts = states.slice(0, 6).map(([state, count]) => escapeText(formatState(state, count)));
  const title = isPartial ? `The first ${fleet.length} VPS` : `${fleet.length} VPS`;
  return `*${title}*   ${stateTexts.join('   ')}`;
}

function vpsBlock({ value, text, state, hint }: Choice): types.SectionBlock {
  const hintText = hint?.split(hintSeparator).slice(0, maxHintParts).join(hintSeparator);
  const hintLine = hintText ? `\n${escapeText(truncate(hintText, maxHintChars))}` : '';
  const status = state ? `   ${escapeText(formatState(truncate(state, maxHintChars)))}` : '';
  return {
    type: 'section',
    block_id: value,
    text: { type: 'mrkdwn', text: `*${escapeText(text)}*${status}${hintLine}`, verbatim: true },
    accessory: {
      type: 'overflow',
      action_id: actionIds.homeVps,
      options: vpsMenu.map(([operation, label]) => ({
        text: plainText(label, limits.optionChars),
        value: `${operation}:${value}`,
      })),
    },
  };
}

/** Returns the search field for a fleet that has several pages. */
function searchBlocks(): types.KnownBlock[] {
  const block_id = toChooseBlockId({ label: '', operation: 'show', argument: 'vps', input: {} });
  if (block_id === undefined) return [];
  const placeholder = plainText('Find a VPS…', limits.placeholderChars);
  const select = {
    type: 'external_select' as const,
    action_id: actionIds.remoteSelect,
    min_query_length: 0,
    placeholder,
  };
  return [{ type: 'actions', block_id, elements: [select] }];
}

function keyBlocks(key: HomeFacts['key'], usage: QuotaUsage | undefined): types.KnownBlock[] {
  if (key.kind === 'unavailable') {
    return [
      mrkdwn(escapeText(key.reason)),
      ...buttonRow(stepButtons(key.remedyStep ? [key.remedyStep] : [])),
    ];
  }
  const facts = [
    { label: 'Service', value: key.service ?? 'not shown' },
    { label: 'Permissions', value: key.permissions.join(', ') || 'none' },
    ...(usage ? [{ label: 'Requests left this minute', value: formatQuota(usage) }] : []),
  ];
  return factLines(facts);
}

function formatQuota({ limit, used, waiting }: QuotaUsage): string {
  const left = Math.max(0, limit - used.people - used.background);
  const queue = waiting.people + waiting.background;
  return `${left} of ${limit}${queue > 0 ? `, ${queue} waiting` : ''}`;
}

function recentBlocks(recent: readonly RecentRun[]): types.KnownBlock[] {
  if (recent.length === 0) return [mrkdwn('Nothing has been changed yet.')];
  const lines = recent.map(({ run, statusText }) => {
    const { actor, requestedMs } = run;
    const time = `<!date^${Math.floor(requestedMs / 1000)}^{date_short_pretty} {time}|${new Date(requestedMs).toISOString()}>`;
    const title = escapeText(truncate(formatAction(run), maxHintChars));
    return `${statusText}   *${title}*   <@${actor.userId}>, ${time}`;
  });
  return [mrkdwn(lines.join('\n'))];
}

/** Returns the time at which the data was read, in the reader's time zone. */
function updatedAtBlock(nowMs: number): types.ContextBlock {
  const time = `<!date^${Math.floor(nowMs / 1000)}^{time}|${new Date(nowMs).toISOString()}>`;
  return { type: 'context', elements: [{ type: 'mrkdwn', text: `As of ${time}.` }] };
}

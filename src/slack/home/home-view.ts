import type { types } from '@slack/bolt';
import type { QuotaUsage } from '../../hosting/quota/quota.ts';
import type { NextStep } from '../../operations/outcome.ts';
import type { Problem } from '../../operations/runs/problem.ts';
import type { Run } from '../../operations/runs/run.ts';
import { hintSeparator } from '../../operations/sources/fleet.ts';
import type { Choice } from '../../operations/sources/source.ts';
import { actionIds, button, chooseBlockId } from '../actions.ts';
import { buttonRow, factLines, mrkdwn, notes, stepButtons } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { renderProblem } from '../render/problem.ts';
import { clip, escapeText, plain } from '../render/text.ts';
import { stateText } from '../render/value.ts';

/** Servers on one page: with what stands around them they fit into the 100 blocks of a Home, and on a phone. */
const vpsPerPage = 15;

const hintChars = 120;

/** Of what tells a server apart, what fits beside its menu on a phone. */
const mostHinted = 3;

/** The API key as the App Home shows it; where it cannot be used, why, and the button that puts it right. */
export type HomeKey =
  | { readonly service: string; readonly permissions: readonly string[] }
  | { readonly whyNot: string; readonly step?: NextStep };

/** A run, and how it stands in words. */
interface RecentRun {
  readonly run: Run;
  readonly standing: string;
}

/** What the App Home shows; a part that could not be read is the sentence that says why. */
export interface HomeFacts {
  readonly key: HomeKey;
  readonly usage?: QuotaUsage;
  readonly fleet: readonly Choice[] | string;
  readonly recent: readonly RecentRun[];
  readonly nowMs: number;
}

/** Operations that a server's menu offers: an overflow holds five. */
const vpsMenu = [
  ['show', 'Show'],
  ['graph', 'Graph'],
  ['live', 'Live Data'],
  ['reboot', 'Reboot'],
  ['snapshot create', 'Take Snapshot'],
] as const;

/** Builds the App Home: key and quota, the fleet with a menu for each server, recent runs. */
export function homeView({ key, usage, fleet, recent, nowMs }: HomeFacts, page = 0): types.HomeView {
  return {
    type: 'home',
    private_metadata: JSON.stringify({ page }),
    blocks: [
      header('Servers'),
      ...fleetBlocks(fleet, page),
      { type: 'divider' },
      header('API key'),
      ...keyBlocks(key, usage),
      { type: 'divider' },
      header('Recent changes'),
      ...recentBlocks(recent),
      { type: 'divider' },
      asOf(nowMs),
      ...buttonRow([button('home:refresh', 'Refresh', String(page))]),
    ],
  };
}

/** Builds the App Home of who may not look at anything: why, and who can help. */
export function closedHomeView(problem: Problem): types.HomeView {
  return {
    type: 'home',
    private_metadata: JSON.stringify({ page: 0 }),
    blocks: [...renderProblem(problem).blocks, ...buttonRow([button('home:refresh', 'Refresh', '0')])],
  };
}

function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plain(text, limits.headerChars) };
}

function fleetBlocks(fleet: HomeFacts['fleet'], page: number): types.KnownBlock[] {
  if (typeof fleet === 'string') return [mrkdwn(escapeText(fleet))];
  if (fleet.length === 0) return [mrkdwn('The account of this API key has no VPS.')];
  const pages = Math.ceil(fleet.length / vpsPerPage);
  const shown = Math.min(page, pages - 1);
  const first = shown * vpsPerPage;
  const servers = fleet.slice(first, first + vpsPerPage);
  const turns = [
    ...(shown > 0 ? [button('home:previous', 'Previous', String(shown - 1))] : []),
    ...(shown < pages - 1 ? [button('home:next', 'Next', String(shown + 1))] : []),
  ];
  return [
    mrkdwn(stateSummary(fleet)),
    ...(pages > 1 ? findBlocks() : []),
    ...servers.map(vpsBlock),
    ...(pages > 1 ? notes([`${first + 1} to ${first + servers.length} of ${fleet.length}`]) : []),
    ...buttonRow(turns),
  ];
}

/** Counts the servers by state: "12 VPS   🟢 11 running   ⚪ 1 stopped". */
function stateSummary(fleet: readonly Choice[]): string {
  const counts = new Map<string, number>();
  for (const { state = 'not shown' } of fleet) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = [...counts].sort(([, a], [, b]) => b - a);
  const words = states.slice(0, 6).map(([state, count]) => escapeText(stateText(state, count)));
  return `*${fleet.length} VPS*   ${words.join('   ')}`;
}

function vpsBlock({ value, state, hint }: Choice): types.SectionBlock {
  const telling = hint?.split(hintSeparator).slice(0, mostHinted).join(hintSeparator);
  const about = telling ? `\n${escapeText(clip(telling, hintChars))}` : '';
  const status = state ? `   ${escapeText(stateText(clip(state, hintChars)))}` : '';
  return {
    type: 'section',
    block_id: value,
    text: { type: 'mrkdwn', text: `*${escapeText(value)}*${status}${about}`, verbatim: true },
    accessory: {
      type: 'overflow',
      action_id: actionIds.homeVps,
      options: vpsMenu.map(([operation, label]) => ({
        text: plain(label, limits.optionChars),
        value: `${operation}:${value}`,
      })),
    },
  };
}

/** In a large fleet a server is found by typing. */
function findBlocks(): types.KnownBlock[] {
  const block_id = chooseBlockId({ label: '', operation: 'show', argument: 'vps', input: {} });
  if (block_id === undefined) return [];
  const placeholder = plain('Find a VPS…', limits.placeholderChars);
  const select = {
    type: 'external_select' as const,
    action_id: actionIds.remote,
    min_query_length: 0,
    placeholder,
  };
  return [{ type: 'actions', block_id, elements: [select] }];
}

function keyBlocks(key: HomeFacts['key'], usage: QuotaUsage | undefined): types.KnownBlock[] {
  if ('whyNot' in key) {
    return [mrkdwn(escapeText(key.whyNot)), ...buttonRow(stepButtons(key.step ? [key.step] : []))];
  }
  const facts = [
    { label: 'Service', value: key.service },
    { label: 'Permissions', value: key.permissions.join(', ') || 'none' },
    ...(usage ? [{ label: 'Requests left this minute', value: quotaWords(usage) }] : []),
  ];
  return factLines(facts);
}

function quotaWords({ limit, used, waiting }: QuotaUsage): string {
  const left = Math.max(0, limit - used.people - used.background);
  const queue = waiting.people + waiting.background;
  return `${left} of ${limit}${queue > 0 ? `, ${queue} waiting` : ''}`;
}

function recentBlocks(recent: readonly RecentRun[]): types.KnownBlock[] {
  if (recent.length === 0) return [mrkdwn('Nothing has been changed yet.')];
  const lines = recent.map(({ run: { operation, target, asker, requestedMs }, standing }) => {
    const time = `<!date^${Math.floor(requestedMs / 1000)}^{date_short_pretty} {time}|${new Date(requestedMs).toISOString()}>`;
    const what = escapeText(clip(`${operation} ${target ?? ''}`.trim(), hintChars));
    return `${standing}   *${what}*   <@${asker.userId}>, ${time}`;
  });
  return [mrkdwn(lines.join('\n'))];
}

/** Says how old all of it is, in the reader's zone. */
function asOf(nowMs: number): types.ContextBlock {
  const time = `<!date^${Math.floor(nowMs / 1000)}^{time}|${new Date(nowMs).toISOString()}>`;
  return { type: 'context', elements: [{ type: 'mrkdwn', text: `As of ${time}.` }] };
}

import type { types } from '@slack/bolt';
import type { QuotaUsage } from '../../hosting/quota/rate-limiter.ts';
import { hintSeparator } from '../../operations/choices/sources/vps.ts';
import type { IsPermitted } from '../../operations/define/access/permitted-steps.ts';
import type { Choice } from '../../operations/define/arguments/choice-source.ts';
import type { NextStep } from '../../operations/define/outcome.ts';
import { createVpsLabeler } from '../../operations/format/label-vps.ts';
import type { Problem } from '../../runs/problem.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { buttonRow, factLines, mrkdwn, noteBlocks, stepButtons } from '../blocks/elements/blocks.ts';
import { button, toChooseBlockId } from '../blocks/elements/buttons.ts';
import { limits } from '../blocks/elements/limits.ts';
import { escapeText, formatDate, plainText, truncate } from '../blocks/elements/text.ts';
import { formatState } from '../blocks/elements/value.ts';
import { renderProblem } from '../blocks/problem.ts';
import type { HomeOverview } from './home-overview.ts';
import { header, overviewBlocks, recentBlocks } from './overview-blocks.ts';

/** Maximum number of VPS shown. Low enough that the App Home stays within Slack's limit of 100 blocks. */
const maxVps = 25;

const maxHintChars = 120;

/** How many details of a VPS are shown beside its menu. More wouldn't fit on a phone. */
const maxHintParts = 3;

/** The API key as shown on the App Home: its permissions, or why it can't be used, with a button to fix it. */
export type HomeKey =
  | {
      readonly kind: 'available';
      readonly service?: string | undefined;
      readonly permissions: readonly string[];
    }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly remedyStep?: NextStep };

/** The hosting service's data. A part that couldn't be read is replaced by the reason. */
export interface ServiceFacts {
  readonly key: HomeKey;
  readonly usage?: QuotaUsage;
  readonly fleet: readonly Choice[] | string;
  /** Whether the service may have more VPS than were read. */
  readonly isFleetPartial?: boolean;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusing?: boolean;
}

export interface HomeFacts {
  readonly overview: HomeOverview;
  /** Undefined until the hosting service has answered. */
  readonly service: ServiceFacts | undefined;
  /** Whether the reader is allowed to take a step. Steps that aren't allowed have no button or menu entry. */
  readonly isPermitted: IsPermitted;
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

const settingsStep: NextStep = { label: 'Settings', operation: 'settings', input: {}, opensForm: true };

const refusalText =
  "⚠️ The hosting service isn't answering. Rackhand won't send it changes until it answers again.";

/** Builds the App Home: what needs attention, the fleet with a menu for each VPS, recent changes, and the key. */
export function buildHomeView({ overview, service, isPermitted, nowMs }: HomeFacts): types.HomeView {
  const fleet = typeof service?.fleet === 'object' ? service.fleet : [];
  const labelVps = createVpsLabeler(new Map(fleet.map(({ value, text }) => [value, text])));
  return {
    type: 'home',
    blocks: [
      ...buttonRow([refreshButton, ...stepButtons([settingsStep])]),
      ...(service ? [updatedAtBlock(nowMs)] : []),
      ...overviewBlocks(overview, { labelVps, isPermitted }),
      header('VPS'),
      ...(service
        ? fleetBlocks(service, isPermitted)
        : [mrkdwn('⏳ Loading the list of VPS from the hosting service…')]),
      { type: 'divider' },
      ...recentBlocks(overview),
      ...(service ? [{ type: 'divider' as const }, header('API key'), ...keyBlocks(service)] : []),
      ...(overview.isAdmin ? adminBlocks() : []),
    ],
  };
}

export function buildDeniedHomeView(problem: Problem): types.HomeView {
  return {
    type: 'home',
    blocks: [...renderProblem(problem).blocks, ...buttonRow([refreshButton])],
  };
}

const refreshButton = button(actionIds.homeRefresh, 'Refresh', 'refresh');

function fleetBlocks(service: ServiceFacts, isPermitted: IsPermitted): types.KnownBlock[] {
  const refusal = service.isRefusing ? [mrkdwn(refusalText)] : [];
  return [...refusal, ...vpsBlocks(service, isPermitted)];
}

function vpsBlocks(
  { fleet, isFleetPartial = false }: ServiceFacts,
  isPermitted: IsPermitted,
): types.KnownBlock[] {
  if (typeof fleet === 'string') return [mrkdwn(escapeText(fleet))];
  if (fleet.length === 0) return [mrkdwn("The API key's account has no VPS.")];
  const hasMore = fleet.length > maxVps;
  return [
    mrkdwn(formatStateCounts(fleet, isFleetPartial)),
    ...(hasMore ? searchBlocks() : []),
    ...fleet.slice(0, maxVps).map((vps) => vpsBlock(vps, isPermitted)),
    ...(hasMore
      ? noteBlocks([`The first ${maxVps} of ${fleet.length} VPS. Search above for the rest.`])
      : []),
    ...(hasMore ? buttonRow(stepButtons([{ label: 'List All', operation: 'list', input: {} }])) : []),
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

function vpsBlock({ value, text, state, hint }: Choice, isPermitted: IsPermitted): types.SectionBlock {
  const menu = vpsMenu.filter(([operation]) => isPermitted({ operation, input: { vps: value } }));
  const hintText = hint?.split(hintSeparator).slice(0, maxHintParts).join(hintSeparator);
  const hintLine = hintText ? `\n${escapeText(truncate(hintText, maxHintChars))}` : '';
  const status = state ? `   ${escapeText(formatState(truncate(state, maxHintChars)))}` : '';
  return {
    type: 'section',
    block_id: value,
    text: {
      type: 'mrkdwn',
      text: `*${escapeText(text)}*${status}${hintLine}`,
      verbatim: true,
    },
    accessory: {
      type: 'overflow',
      action_id: actionIds.homeVps,
      options: menu.map(([operation, label]) => ({
        text: plainText(label, limits.optionChars),
        value: `${operation}:${value}`,
      })),
    },
  };
}

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

function keyBlocks({ key, usage }: ServiceFacts): types.KnownBlock[] {
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

function adminBlocks(): types.KnownBlock[] {
  return buttonRow(stepButtons([{ label: 'People and Rights', operation: 'access', input: {} }]));
}

function updatedAtBlock(nowMs: number): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: `As of ${formatDate(nowMs, '{time}')}.` }] };
}

import type { types } from '@slack/bolt';
import { formatAction } from '../../audit/audit-entry.ts';
import type { OpenAlert, StandingOut } from '../../monitoring/overview/overview.ts';
import type { IsPermitted } from '../../operations/define/access/permitted-steps.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import type { Run } from '../../runs/run.ts';
import { mrkdwn, noteBlocks, stepButtons } from '../blocks/elements/blocks.ts';
import { limits } from '../blocks/elements/limits.ts';
import { escapeText, formatDate, plainText, truncate } from '../blocks/elements/text.ts';
import type { HomeOverview, OpenAsk, ShownPlan, ShownRun } from './home-overview.ts';

/**
 * How many entries each part shows. Low enough that the App Home, with its VPS, stays within Slack's limit
 * of 100 blocks.
 */
const maxAlerts = 5;
const maxLines = 5;

/** How many VPS an alert names. */
const maxNames = 3;

const maxTitleChars = 120;

interface OverviewView {
  readonly labelVps: LabelVps;
  /** Whether the reader is allowed to take a step. Steps that aren't allowed have no button. */
  readonly isPermitted: IsPermitted;
}

/**
 * Returns the blocks above the fleet: alerts, findings, approvals, running changes and plans. Parts
 * without entries are left out.
 */
export function overviewBlocks(
  { alerts, standsOut, asks, running, planned }: HomeOverview,
  { labelVps, isPermitted }: OverviewView,
): types.KnownBlock[] {
  return [
    ...part(
      `Alerts (${alerts.length})`,
      alerts.slice(0, maxAlerts).map((alert) => alertBlock(alert, { labelVps, isPermitted })),
      alerts.length - maxAlerts,
    ),
    ...linesPart(
      'Stands out in the latest reports',
      standsOut.map((finding) => formatStandingOut(finding, labelVps)),
    ),
    ...linesPart(
      'Waiting for your approval',
      asks.map((open) => formatAsk(open, labelVps)),
    ),
    ...linesPart('Running now', running.map(formatRun)),
    ...linesPart('Next', planned.map(formatPlanned)),
  ];
}

/** Returns the blocks for changes that have ended, newest first. */
export function recentBlocks({ recent, running }: HomeOverview): types.KnownBlock[] {
  if (recent.length > 0) return [header('Recent changes'), mrkdwn(recent.map(formatRun).join('\n'))];
  return running.length > 0 ? [] : [header('Recent changes'), mrkdwn('Nothing has been changed yet.')];
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plainText(text, limits.headerChars) };
}

function linesPart(title: string, lines: readonly string[]): types.KnownBlock[] {
  const shown = lines.slice(0, maxLines);
  return part(title, shown.length > 0 ? [mrkdwn(shown.join('\n'))] : [], lines.length - shown.length);
}

function part(title: string, blocks: readonly types.KnownBlock[], more: number): types.KnownBlock[] {
  if (blocks.length === 0) return [];
  return [header(title), ...blocks, ...(more > 0 ? noteBlocks([`${more} more`]) : []), { type: 'divider' }];
}

function alertBlock(
  { watchName, vps, beganMs, owner, steps }: OpenAlert,
  { labelVps, isPermitted }: OverviewView,
) {
  const names = vps.slice(0, maxNames).map((name) => escapeText(labelVps(name)));
  const more = vps.length > maxNames ? ` and ${vps.length - maxNames} more` : '';
  const status = owner === null ? 'No one has acknowledged it' : `<@${owner}> is handling it`;
  const [accessory] = stepButtons(steps.filter(isPermitted), watchName);
  return {
    ...mrkdwn(
      `🔴 *${escapeText(watchName)}*   ${names.join(', ')}${more}\n${status}. Since ${formatDate(beganMs)}`,
    ),
    ...(accessory && { accessory }),
  };
}

function formatStandingOut({ vps, text, untilMs }: StandingOut, labelVps: LabelVps): string {
  const summary = escapeText(truncate(text, maxTitleChars));
  return `⚠️ *${escapeText(labelVps(vps))}*   ${summary}. As of ${formatDate(untilMs)}`;
}

function formatAsk({ ask, channel }: OpenAsk, labelVps: LabelVps): string {
  const title = escapeText(truncate(labelVps(ask.title), maxTitleChars));
  // A DM's channel ID begins with D. Everyone who is asked by DM gets their own message.
  const place = channel !== undefined && !channel.startsWith('D') ? `<#${channel}>` : 'your direct messages';
  return `⏸️ *${title}*   requested by <@${ask.actor.userId}>. The request is in ${place}. It expires at ${formatDate(ask.expiresMs)}.`;
}

function formatRun({ run, statusText }: ShownRun): string {
  return `${statusText}   *${formatTitle(run)}*   <@${run.actor.userId}>, ${formatDate(run.requestedMs)}`;
}

function formatTitle(run: Run): string {
  return escapeText(truncate(formatAction(run), maxTitleChars));
}

function formatPlanned(plan: ShownPlan): string {
  if (plan.kind === 'change') {
    const { title, createdBy, channel, atMs } = plan;
    return `⏰ *${escapeText(truncate(title, maxTitleChars))}*   <@${createdBy}> in <#${channel}>, ${formatDate(atMs)}`;
  }
  const { kind, name, channel, fromMs, untilMs } = plan;
  const title = `*${escapeText(truncate(name, maxTitleChars))}* in <#${channel}>`;
  if (kind === 'report') return `📋 Report ${title}, ${formatDate(fromMs)}`;
  if (untilMs !== null) return `🔧 Maintenance ${title}, until ${formatDate(untilMs)}`;
  return `🔧 Maintenance ${title}, from ${formatDate(fromMs)}`;
}

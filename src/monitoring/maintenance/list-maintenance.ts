import { formatPatterns } from '../../auth/vps-pattern.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { NextStep } from '../../operations/define/outcome.ts';
import { describeUnreadable } from '../../operations/format/unreadable/unreadable-rows.ts';
import { formatTiming } from './format-timing.ts';
import { findCurrent, type MaintenanceStore } from './maintenance-store.ts';
import { nextOccurrence } from './timing.ts';

interface ListMaintenanceDependencies {
  readonly store: Pick<MaintenanceStore, 'list' | 'listNames'>;
  readonly now: () => number;
}

export const listStep: NextStep = { label: 'Maintenance', operation: 'maintenance list', input: {} };

const addStep: NextStep = { label: 'Plan Maintenance', operation: 'maintenance', input: {}, opensForm: true };

/** Returns the buttons that end and delete a window. */
export function manageSteps(name: string, isRunning: boolean): readonly NextStep[] {
  return [
    ...(isRunning ? [{ label: 'End Now', operation: 'maintenance end', input: { name } }] : []),
    { label: 'Delete', operation: 'maintenance delete', input: { name } },
  ];
}

export function createListMaintenanceOperation({ store, now }: ListMaintenanceDependencies): Operation {
  return defineLocal({
    name: 'maintenance list',
    heading: 'Maintenance windows',
    summary: 'List the maintenance windows and what is in maintenance now',
    arguments: {},
    button: 'Show',
    right: 'view',
    async run({ actor: { teamId } }) {
      const [windows, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
      const unreadable = describeUnreadable({
        names,
        readable: windows,
        one: 'maintenance window',
        many: 'maintenance windows',
      });
      const nowMs = now();
      const [only] = windows;
      if (!only)
        return {
          title: unreadable.title ?? 'No maintenance is planned',
          notes: unreadable.notes,
          next: [addStep],
        };
      const current = windows.filter((window) => findCurrent(window, nowMs)).length;
      return {
        title: `${windows.length === 1 ? 'One maintenance window' : `${windows.length} maintenance windows`}${current > 0 ? `, ${current} now` : ''}`,
        table: {
          columns: ['Window', 'VPS', 'Now', 'Begins', 'Ends', 'When', 'Channel'],
          rows: windows.map((window) => {
            const running = findCurrent(window, nowMs);
            const next = running ?? nextOccurrence(window.timing, nowMs);
            return [
              window.name,
              formatPatterns(window.vps),
              running ? '🔧 in maintenance' : '–',
              next ? { kind: 'time', timeMs: next.fromMs } : '–',
              next ? { kind: 'time', timeMs: next.untilMs } : '–',
              formatTiming(window.timing),
              { kind: 'channel', channel: window.channel },
            ];
          }),
        },
        notes: unreadable.notes,
        next: [
          ...(windows.length === 1 ? manageSteps(only.name, findCurrent(only, nowMs) !== undefined) : []),
          addStep,
        ],
      };
    },
  });
}

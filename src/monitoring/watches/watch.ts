import { z } from 'zod';
import type { PlanKind, PlanOf } from '../../plans/plan.ts';
import { condition } from './condition.ts';
import { alert } from './evaluation/alert.ts';
import { vpsAlertState } from './evaluation/vps-alert-state.ts';

/** Pings a person or user group (`to`, an ID) if no one acknowledges an alert in time. */
const escalation = z.object({ afterMs: z.number(), to: z.string() }).readonly();

export type Escalation = z.infer<typeof escalation>;

const spec = z.object({
  channel: z.string(),
  /** Space-separated VPS names and patterns; `*` matches any characters. */
  vps: z.string(),
  condition,
  /** The ID of the person or user group to ping when an alert begins. */
  notify: z.string().optional(),
  escalation: escalation.optional(),
  /** The URL of a page that says what to do about an alert. */
  runbook: z.string().optional(),
});

/** A watch's current alert state: the states of its VPS, and its open alert. */
const alertState = z.object({
  vpsStates: z.record(z.string(), vpsAlertState).readonly(),
  alert: alert.nullable(),
  /** Whether the watch has read any VPS yet. */
  isChecked: z.boolean().optional(),
});

export type AlertState = Readonly<z.infer<typeof alertState>>;

/** The alert state of a new, resumed or edited watch. */
export const initialAlertState: AlertState = {
  vpsStates: {},
  alert: null,
};

const progress = z.object({ alertState: alertState.default(initialAlertState) });

type Spec = Readonly<z.infer<typeof spec>>;
type Progress = Readonly<z.infer<typeof progress>>;

/** The user-defined part of a watch. */
export type WatchPlan = Spec & { readonly name: string };

export type Watch = PlanOf<Spec, Progress, never>;

/** Watches have no times of their own: a workspace's watches are all evaluated together. */
export const watchKind: PlanKind<Spec, Progress, never> = {
  name: 'watch',
  noun: 'watch',
  spec,
  progress,
  occurrence: z.never(),
  when: () => null,
};

import { formatPercent, formatRate } from '../../charts/format/format-quantity.ts';
import { formatList } from '../../format-list.ts';
import { findKnownValue, liveValues, seriesValues } from '../../hosting/payloads/known-values.ts';
import { parseUnit } from '../../hosting/payloads/quantity.ts';
import type { NextStep } from '../define/outcome.ts';

/** A figure whose payload gives no unit. It is shown as is, and never compared. */
export interface UnitQuestion {
  /** ID of the known value that the figure may be. */
  readonly value: string;
  readonly field: string;
  readonly number: number;
  /** The units that the figure can have. */
  readonly units: readonly string[];
}

/** Creates the question about the unit of a figure in live data or in a history. */
export function toUnitQuestion(
  kind: 'live' | 'history',
  { metric, ...figure }: { readonly metric: string } & Omit<UnitQuestion, 'value'>,
): UnitQuestion {
  const values: Readonly<Record<string, { readonly id: string }>> =
    kind === 'live' ? liveValues : seriesValues;
  return { value: values[metric]?.id ?? metric, ...figure };
}

/**
 * Returns a button for each unit that a figure can have, such as `CPU Is 12.5%`. Each button sets the
 * field mapping.
 */
export function unitSteps({ value, field, number, units }: UnitQuestion): readonly NextStep[] {
  return units.map((unit) => ({
    label: `${toName(value)} Is ${formatMeaning(number, unit)}`.slice(0, maxLabelChars),
    operation: 'service set',
    input: { value, field, unit },
  }));
}

export function formatUnitQuestion({ value, field, number }: UnitQuestion): string {
  return `The service shows ${field} ${number} without a unit, so Rackhand doesn't know whether it's the ${toName(value).toLowerCase()}. An admin can choose the unit.`;
}

/** Returns a note about the figures that are shown without a unit, or nothing if there are none. */
export function unitNotes(likely: readonly { readonly field: string }[] = []): readonly string[] {
  if (likely.length === 0) return [];
  const fields = [...new Set(likely.map(({ field }) => field))].slice(0, maxNamedFields);
  const subject = fields.length === 1 ? 'figure' : 'figures';
  return [
    `The service names no unit for the ${subject} ${formatList(fields, 'and')}. An admin can choose it with /vps service.`,
  ];
}

/** Returns the button that opens the questions about units, or nothing if no figure lacks a unit. */
export function chooseUnitsSteps(likely: readonly unknown[] = []): readonly NextStep[] {
  return likely.length === 0 ? [] : [{ label: 'Choose Units', operation: 'service', input: {} }];
}

const maxNamedFields = 4;
const maxLabelChars = 30;

function toName(value: string): string {
  const label = findKnownValue(value)?.label ?? value;
  const name = label.replace(/^Live /, '').replace(/ history$/, '');
  return name === 'CPU' ? name : name.replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
}

function formatMeaning(number: number, unit: string): string {
  if (unit === 'percent' || unit === 'fraction')
    return formatPercent(number * (unit === 'percent' ? 1 : 100));
  return formatRate(number * (parseUnit(unit)?.factor ?? 1));
}

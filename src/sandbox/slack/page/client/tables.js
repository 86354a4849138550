import { h } from './dom.js';
import { richText } from './rich-text.js';

/** Shows a table block: its first row is its header. */
export function table({ rows, column_settings: settings = [] }, names) {
  const [headings, ...others] = rows.map((cells, row) =>
    h(
      'tr',
      {},
      cells.map((cell, column) => cellNode(cell, row === 0, settings[column] ?? {}, names)),
    ),
  );
  return scrolled(h('table', {}, h('thead', {}, headings), h('tbody', {}, others)));
}

/** Shows a data table block: all its rows at once, without pages. */
export function dataTable({ rows, caption }, names) {
  const shown = table({ rows }, names);
  shown.firstElementChild.prepend(h('caption', {}, caption));
  return shown;
}

/** Shows the numbers of a chart as a table. */
export function chartTable({ title, chart }) {
  const series = chart.series ?? [{ name: 'Value', data: chart.segments }];
  const head = h(
    'tr',
    {},
    h('th', {}, chart.axis_config?.x_label ?? ''),
    series.map(({ name }) => h('th', {}, name)),
  );
  const rows = series[0].data.map(({ label }) => {
    const values = series.map(({ data }) => data.find((point) => point.label === label)?.value);
    return h(
      'tr',
      {},
      h('th', {}, label),
      values.map((value) => h('td', { class: 'right' }, String(value))),
    );
  });
  const caption = h('caption', {}, `${title} (${chart.type} chart)`);
  return scrolled(h('table', {}, caption, h('thead', {}, head), h('tbody', {}, rows)));
}

function cellNode(cell, isHeading, { align = 'left', is_wrapped: isWrapped = false }, names) {
  const content = cell.type === 'rich_text' ? richText(cell, names) : cell.text;
  return h(isHeading ? 'th' : 'td', { class: `${align} ${isWrapped ? '' : 'unwrapped'}` }, content);
}

function scrolled(content) {
  return h('div', { class: 'table', role: 'region', 'aria-label': 'Table', tabIndex: 0 }, content);
}

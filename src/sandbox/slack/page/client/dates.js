const tokens = {
  date_num: (date) => date.toLocaleDateString('sv'),
  date_slash: (date) => date.toLocaleDateString('en-GB'),
  date: (date) => format(date, { month: 'long', day: 'numeric' }),
  date_long: (date) => format(date, { dateStyle: 'full' }),
  date_long_full: (date) => format(date, { dateStyle: 'long' }),
  date_short: (date) => format(date, { dateStyle: 'medium' }),
  time: (date) => format(date, { timeStyle: 'short' }),
  time_secs: (date) => format(date, { timeStyle: 'medium' }),
  ago,
};

const dayNames = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Writes a time (Unix seconds) into a template such as `{date_short_pretty} at {time}`, as Slack's clients do. */
export function formatDate(seconds, template) {
  const date = new Date(seconds * 1000);
  return template.replaceAll(/\{(\w+?)(_pretty)?\}/g, (token, name, pretty) => {
    const near = pretty && nearDay(date);
    return near || (tokens[name]?.(date) ?? token);
  });
}

/** The time of day of a message, from its `ts`. */
export function timeOf(ts) {
  return format(new Date(Number(ts) * 1000), { timeStyle: 'short' });
}

/** The day of a message, from its `ts`: today, yesterday, or a date. */
export function dayOf(ts) {
  const date = new Date(Number(ts) * 1000);
  const near = nearDay(date);
  return near ? near[0].toUpperCase() + near.slice(1) : tokens.date_long(date);
}

function format(date, options) {
  return new Intl.DateTimeFormat('en', options).format(date);
}

function nearDay(date) {
  const midnight = (moment) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
  const days = Math.round((midnight(date) - midnight(new Date())) / 86_400_000);
  return Math.abs(days) <= 1 ? dayNames.format(days, 'day') : undefined;
}

function ago(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return dayNames.format(Math.round(seconds / size), unit);
}

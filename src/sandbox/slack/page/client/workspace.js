/** What the page knows of a workspace: from the control API's answer, with names to look up. */
export function workspaceOf(answer) {
  const { people, channels, groups = [], app } = answer;
  const labelOf = (list, field) => (id) => list.find((item) => item.id === id)?.[field] ?? id;
  return {
    ...answer,
    humans: people.filter(({ id }) => id !== app.user_id),
    names: {
      user: labelOf(people, 'real_name'),
      channel: labelOf(channels, 'name'),
      group: labelOf(groups, 'handle'),
    },
    /** What menus of people and channels offer. */
    sources: {
      people: () => people.map(({ id, real_name: label }) => ({ id, label })),
      channels: () => channels.map(({ id, name }) => ({ id, label: `#${name}` })),
    },
  };
}

/** The place that the address names after `#`: workspace, person, conversation and thread. */
export function readAddress() {
  const [team, user, place, thread] = location.hash.slice(1).split('/');
  return { team, user, place, thread };
}

export function writeAddress({ team, user, place, thread }) {
  history.replaceState(null, '', `#${[team, user, place, thread].filter(Boolean).join('/')}`);
}

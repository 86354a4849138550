/** What the page knows of a workspace: from the control API's answer, with names to look up. */
export function workspaceOf(answer) {
  const { people, channels, groups } = answer;
  const known = [...people, { id: 'USLACKBOT', real_name: 'Slackbot' }];
  const labelOf = (list, field) => (id) => list.find((item) => item.id === id)?.[field] ?? id;
  return {
    ...answer,
    humans: people.filter(({ role }) => role !== 'bot'),
    names: {
      user: labelOf(known, 'real_name'),
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

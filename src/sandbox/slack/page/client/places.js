import { notify } from './notices.js';

/**
 * What messages and views need to be used: whom to ask for options, where to send clicks, which pictures to show.
 *
 * @param {any} control
 * @param {any} workspace
 * @param {string} user
 */
export function createPlaces(control, workspace, user) {
  const act = (where) => async (blockId, actionId, value) => {
    const body = { user, ...where, block_id: blockId, action_id: actionId, value };
    const { error } = await control.post('click', body).catch(({ message }) => ({ error: message }));
    if (error) notify(error);
  };

  const common = (where) => ({
    names: workspace.names,
    imageUrl,
    act: act(where),
    sourcesFor: (blockId, actionId) => ({
      ...workspace.sources,
      names: workspace.names,
      suggest: (text) =>
        control.post('suggest', { user, ...where, block_id: blockId, action_id: actionId, text }),
    }),
  });

  return {
    ofMessage: (channel) => (message) => ({
      ...common({ channel, ts: message.ts }),
      stateOf: (blockId, actionId) => message.state?.values?.[blockId]?.[actionId],
    }),
    ofView: (view) => ({
      ...common({ view: view.id }),
      stateOf: (blockId, actionId) => view.state?.values?.[blockId]?.[actionId],
    }),
  };
}

function imageUrl({ image_url: url, slack_file: file }) {
  return url ?? file.url ?? `/files/${file.id}`;
}

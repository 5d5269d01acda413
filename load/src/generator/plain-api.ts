import { partialApi, type Api } from './api.js';
import { openPost, type HttpOptions } from './http/post.js';

/** The API of the plainest Express server, which reads no body and makes no calls. */
export function openPlainApi(options: HttpOptions): Api {
  const post = openPost(options);
  return partialApi({
    async request(phone, _placement, written) {
      const { status, body } = await post('/v1/plain', phone.address, {}, written);
      return { code: status === 200 ? 'passes' : (body.reason ?? String(status)), fill: null };
    },
    close: post.close,
  });
}

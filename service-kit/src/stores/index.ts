export type { StoreAddress } from './store-address.js';
export {
  databaseOf,
  databaseShape,
  databaseUrl,
  redisOf,
  redisShape,
  redisUrl,
  storesNeedTls,
} from './store-settings.js';
export { parseRedisUrl, REDIS_URL_FORMS, type RedisUrl } from './redis-url.js';

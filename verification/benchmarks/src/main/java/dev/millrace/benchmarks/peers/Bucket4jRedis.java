package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.List;

/**
 * Bucket4j on Redis through Lettuce: one connection that all threads share, buckets that expire,
 * and proxies that are kept, without which batching has nothing to batch.
 */
final class Bucket4jRedis implements Peer {
  private final boolean batching;
  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> connection;

  Bucket4jRedis(int port, boolean batching) {
    this.batching = batching;
    this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }

  @Override
  public String name() {
    return batching ? "Bucket4j, Redis, batching" : "Bucket4j, Redis";
  }

  @Override
  public Scope scope() {
    return Scope.REDIS;
  }

  @Override
  public Ask ask(List<String> keys) {
    ProxyManager<String> proxies =
        Bucket4jLettuce.casBasedBuilder(connection)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofMinutes(1)))
            .build();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit -> limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
            .build();
    return KeyedLimiters.of(
        keys, key -> bucket(proxies, key, configuration), bucket -> bucket.tryConsume(1));
  }

  private BucketProxy bucket(
      ProxyManager<String> proxies, String key, BucketConfiguration configuration) {
    RemoteBucketBuilder<String> builder = proxies.builder();
    return (batching ? builder.withOptimization(Optimizations.batching()) : builder)
        .build(key, () -> configuration);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}

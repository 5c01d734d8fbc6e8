package dev.millrace.langchain4j;

import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import java.time.Duration;

/** Gives up soon when nothing is answered, and not soon at all when nothing is connected. */
final class ImpatientHttp extends JdkHttpClientBuilder {
  private static final Duration CONNECT = Duration.ofSeconds(60);
  private static final Duration READ = Duration.ofMillis(700);

  @Override
  public Duration connectTimeout() {
    return CONNECT;
  }

  @Override
  public Duration readTimeout() {
    return READ;
  }
}

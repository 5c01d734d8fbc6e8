package dev.millrace.spring.boot;

import dev.millrace.core.entity.Names;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import dev.millrace.spring.web.Headers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code application.yml} says under {@code millrace}.
 *
 * @param enabled Whether there is a limiter at all.
 * @param store Where buckets are kept.
 * @param namespace Whose buckets; 'default' is always there, others are registered.
 * @param onUnavailable What to answer when the store cannot be reached; without it what is stored
 *     for the namespace, else block.
 * @param timeout Longest time for one conversation with the store.
 * @param settlement When adjustments of leases are written.
 * @param checkOnStart Whether to ask the store once when the application starts, and not to start
 *     when it does not answer. Without it nothing is sent before the first request.
 * @param dynamodb Where the table is.
 * @param web Which requests are limited.
 */
@ConfigurationProperties("millrace")
public record MillraceProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("dynamodb") StoreKind store,
    @DefaultValue("default") String namespace,
    @Nullable OnUnavailable onUnavailable,
    @DefaultValue("2s") Duration timeout,
    @DefaultValue("immediate") Settlement settlement,
    @DefaultValue("false") boolean checkOnStart,
    @DefaultValue Dynamodb dynamodb,
    @DefaultValue Web web) {
  /** Checks what can be checked before anything is made. */
  public MillraceProperties {
    Names.requireNamespace(namespace);
  }

  /** Where buckets are kept. */
  public enum StoreKind {
    /** In a table of DynamoDB. */
    DYNAMODB,
    /** In this process, for tests and first steps: nobody else sees them, an end forgets them. */
    IN_MEMORY
  }

  /**
   * Where the table is. A DynamoDbClient bean of the application is used when there is one.
   *
   * @param table Name of the table.
   * @param region Region of the table; without it as the AWS SDK finds it.
   * @param endpoint Another address than that of the region, for DynamoDB Local.
   */
  public record Dynamodb(@Nullable String table, @Nullable String region, @Nullable URI endpoint) {}

  /**
   * Which requests are limited.
   *
   * @param enabled Whether requests are limited as the rules say.
   * @param order Where the filter stands among others; after that of Spring Security, which knows
   *     the principal.
   * @param headers When answers say how the limits stand.
   * @param rules Which requests are charged what; the first rule that matches holds.
   */
  public record Web(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0") int order,
      @DefaultValue("refused") Headers headers,
      @DefaultValue List<Rule> rules) {
    /** Most rules: each request is compared with all before the one that matches. */
    public static final int MAX_RULES = 1_000;

    /** Keeps the rules as they are now. */
    public Web {
      rules = List.copyOf(rules);
      if (rules.size() > MAX_RULES) {
        throw new IllegalArgumentException(
            "millrace.web.rules has " + rules.size() + " entries, at most " + MAX_RULES);
      }
    }
  }

  /**
   * One rule.
   *
   * @param paths Path patterns, as those of controllers: /api/**, /users/{id}.
   * @param methods HTTP methods; any without.
   * @param entity Who is charged: a name, or an expression with #header, #path, #principal, #remote
   *     and #request.
   * @param anonymous Who is charged for requests for which the expression yields nothing; without
   *     it they are refused.
   * @param resource What is used: a name or an expression.
   * @param limits Limits such as rpm:100/min; without any those that are stored hold.
   * @param consume What is charged before: limit=expression, or a limit's name for one token;
   *     without any one token of each limit.
   * @param settle What it cost in the end: limit=expression, with #status and #responseHeader.
   * @param maxWait Longest time to wait for tokens; without it nobody waits.
   * @param onUnavailable What to do when the store cannot be reached, other than the limiter does.
   */
  public record Rule(
      @DefaultValue List<String> paths,
      @DefaultValue List<String> methods,
      @Nullable String entity,
      @Nullable String anonymous,
      @Nullable String resource,
      @DefaultValue List<String> limits,
      @DefaultValue List<String> consume,
      @DefaultValue List<String> settle,
      @Nullable Duration maxWait,
      @Nullable OnUnavailable onUnavailable) {
    /** Keeps the lists as they are now. */
    public Rule {
      paths = List.copyOf(paths);
      methods = List.copyOf(methods);
      limits = List.copyOf(limits);
      consume = List.copyOf(consume);
      settle = List.copyOf(settle);
    }
  }
}

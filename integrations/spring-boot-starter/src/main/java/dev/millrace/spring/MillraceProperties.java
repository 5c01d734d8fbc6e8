package dev.millrace.spring;

import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code millrace}.
 *
 * @param enabled Whether there is a limiter at all.
 * @param store The place of the buckets.
 * @param namespace The namespace of the buckets; 'default' always exists, others are registered.
 * @param onUnavailable The answer when the store cannot be reached; by default the setting stored
 *     for the namespace, else block.
 * @param timeout Longest time for one conversation with the store.
 * @param settlement When adjustments of leases are written.
 * @param checkOnStart Whether to call the store once when the application starts, and to fail the
 *     start when it does not answer. By default nothing is sent before the first request.
 * @param dynamodb The place of the table.
 * @param web The limits of requests.
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
  public MillraceProperties {
    NameRules.requireNamespace(namespace);
  }

  public enum StoreKind {
    /** In a table of DynamoDB. */
    DYNAMODB,
    /** In this process, for tests and first steps: not shared, and lost at its end. */
    IN_MEMORY
  }

  /** The choice of responses that show the state of the limits. */
  public enum HeaderPolicy {
    /** Every response; one more read of the store for each request. */
    ALWAYS,
    /** Refusals only. */
    REFUSED
  }

  /**
   * The place of the table. A DynamoDbClient bean of the application is used when there is one.
   *
   * @param table Name of the table.
   * @param region Region of the table; by default as the AWS SDK finds it.
   * @param endpoint Another address than that of the region, for DynamoDB Local.
   */
  public record Dynamodb(@Nullable String table, @Nullable String region, @Nullable URI endpoint) {}

  /**
   * The limits of requests.
   *
   * @param enabled Whether requests are limited by the rules.
   * @param order The order of the filter among others; after that of Spring Security, which
   *     determines the principal.
   * @param headers When responses show the state of the limits.
   * @param rules The rules of charges; the first rule that matches applies.
   */
  public record Web(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0") int order,
      @DefaultValue("refused") HeaderPolicy headers,
      @DefaultValue List<Rule> rules) {
    /** Most rules: each request is compared with all before the one that matches. */
    public static final int MAX_RULES = 1_000;

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
   * @param methods HTTP methods; any by default.
   * @param entity The charged entity: a name, or an expression with #header, #path, #principal,
   *     #remote and #request.
   * @param anonymous The charged entity for requests for which the expression yields nothing;
   *     without it they are refused.
   * @param resource The resource: a name or an expression.
   * @param limits Limits such as rpm:100/min; by default the stored ones apply.
   * @param consume The charge before the request: limit=expression, or a limit's name for one
   *     token; by default one token of each limit.
   * @param settle The real cost: limit=expression, with #status and #responseHeader.
   * @param maxWait Longest time to wait for tokens; by default requests do not wait.
   * @param onUnavailable What to do when the store cannot be reached; by default as the limiter
   *     does.
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
    public Rule {
      paths = List.copyOf(paths);
      methods = List.copyOf(methods);
      limits = List.copyOf(limits);
      consume = List.copyOf(consume);
      settle = List.copyOf(settle);
    }
  }
}

package dev.millrace.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.RateLimiter;
import dev.millrace.spring.internal.MillraceAutoConfiguration;
import dev.millrace.spring.internal.MillraceWebAutoConfiguration;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** A check that the code of the guide compiles, and that an application starts with it. */
class SpringDocsTest {
  private static final String GUIDE = "docs/guide/spring-boot.md";

  private static List<String> java() throws IOException {
    return Guide.read(GUIDE).blocks("java").stream()
        .filter(block -> !block.startsWith("package ")) // NewcomerTest runs it
        .toList();
  }

  static List<String> yaml() throws IOException {
    return Guide.read(GUIDE).blocks("yaml");
  }

  @Test
  void java_compiles(@TempDir Path classes) throws IOException {
    Map<Boolean, List<String>> given =
        Guide.read(GUIDE)
            .given()
            .lines()
            .collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
    StringBuilder all = new StringBuilder("import dev.millrace.*;\n");
    given.get(true).forEach(line -> all.append(line).append('\n'));
    all.append("class Example {\n");
    given.get(false).forEach(line -> all.append(line).append('\n'));
    for (String block : java()) {
      all.append("class Block").append(all.length()).append(" {\n").append(block).append("}\n");
    }

    Guide.compile("Example", all.append("}\n").toString(), classes);
  }

  @ParameterizedTest
  @MethodSource("yaml")
  void yaml_startsAnApplication(String block) {
    new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                MillraceAutoConfiguration.class, MillraceWebAutoConfiguration.class))
        .withSystemProperties("aws.region=eu-central-1")
        .withClassLoader(new FilteredClassLoader(NettyNioAsyncHttpClient.class)) // ends slowly
        .withInitializer(
            context -> {
              try {
                new YamlPropertySourceLoader()
                    .load("guide", new ByteArrayResource(block.getBytes(StandardCharsets.UTF_8)))
                    .forEach(context.getEnvironment().getPropertySources()::addLast);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            })
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).hasSingleBean(RateLimiter.class);
              assertThat(context.getEnvironment().getPropertySources())
                  .anyMatch(source -> source.getName().startsWith("guide"));
            });
  }

  /** The metadata is what editors complete with; the guide says no less. */
  @Test
  void properties_areAllInTheGuide() throws IOException {
    String guide = Guide.read(GUIDE).text();
    String metadata = metadata();

    List<String> names =
        Pattern.compile("\"name\": \"millrace\\.([a-z.-]+)\",\\s+\"type\": \"[^\"]+\",\\s+\"desc")
            .matcher(metadata)
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(names).hasSizeGreaterThan(10).contains("dynamodb.table", "web.rules");
    assertThat(names)
        .allSatisfy(name -> assertThat(guide).contains(name.substring(name.indexOf('.') + 1)));
  }

  private static String metadata() throws IOException {
    for (URL url :
        Collections.list(
            SpringDocsTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      String text = new String(url.openStream().readAllBytes(), StandardCharsets.UTF_8);
      if (text.contains("\"millrace\"")) {
        return text;
      }
    }
    throw new AssertionError("no metadata");
  }
}

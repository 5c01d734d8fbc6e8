package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.server.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcquireBodyTest {
  @Test
  void read_everyField_isKept() {
    AcquireBody body =
        read(
            "{\"entity\":\"a\",\"resource\":\"r\",\"consume\":{\"x\":1},"
                + "\"also\":[{\"resource\":\"s\",\"consume\":{\"y\":2}}],"
                + "\"limits\":[{\"name\":\"x\",\"rate\":10,\"per\":\"PT1H\",\"burst\":20}],"
                + "\"maxWait\":\"PT5S\",\"ttl\":\"PT60S\",\"onExpiry\":\"REFUND\",\"balances\":true}");
    assertThat(body.request().tokens()).isEqualTo(Map.of("x", 1L));
    assertThat(body.request().draws().get(1).tokens()).isEqualTo(Map.of("y", 2L));
    assertThat(body.request().requireLimits().get(0))
        .isEqualTo(Limit.perHour("x", 10).withBurst(20));
    assertThat(body.maxWait()).isEqualTo(Duration.ofSeconds(5));
    assertThat(body.onExpiry()).isEqualTo(LeaseSettings.OnExpiry.REFUND);
    assertThat(body.lease()).isTrue();
    assertThat(body.balances()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {"entity":"a","resource":"r"}                                      | 'consume' is missing
          {"entity":"a","resource":"r","consume":{}}                         | 'consume' is missing
          {"resource":"r","consume":{"x":1}}                                 | 'entity' is missing
          {"entity":"a","resource":"r","consume":{"x":-1}}                   | -1
          {"entity":"a#b","resource":"r","consume":{"x":1}}                  | contains '#'
          {"entity":"a","resource":"r","consume":{"wcu":1}}                  | is reserved
          {"entity":"a","resource":"r","consume":{"x":1},"maxWait":"5s"}     | must be a duration
          {"entity":"a","resource":"r","consume":{"x":1},"onExpiry":"LOSE"}  | must be one of [KEEP, REFUND]
          {"entity":"a","resource":"r","consume":{"x":1},"lease":false,"ttl":"PT1S"} | mean nothing
          {"entity":"a","resource":"r","consume":{"x":1},"limits":[{"name":"x"}]} | 'limits[0].rate' is missing
          {"entity":"a","resource":"r","consume":{"x":1},"limits":[]}        | at least one is needed
          {"entity":"a","resource":"r","consume":{"x":1},"cosume":1}         | 'cosume' is not known here
          {"entity":"a","resource":"r","consume":{"x":1},"also":[{"resource":"r","consume":{"x":1}}]} | named twice
          """)
  void read_whatCannotBe_isRefusedWithTheReason(String body, String reason) {
    assertThatThrownBy(() -> read(body)).hasMessageContaining(reason);
  }

  private static AcquireBody read(String body) {
    return AcquireBody.read(JsonReader.object(body.getBytes(StandardCharsets.UTF_8)));
  }
}

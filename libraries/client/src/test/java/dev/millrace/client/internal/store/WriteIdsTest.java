package dev.millrace.client.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WriteIdsTest {
  private static final int IDS = 1_000;

  /** The kernel's entropy: outside of the process, so no snapshot of the process holds it. */
  private static final RandomGenerator KERNEL = new SecureRandom();

  /** A copy as of a snapshot: of everything but the kernel. */
  private static WriteIds restored(WriteIds snapshot) throws Exception {
    WriteIds copy = new WriteIds(KERNEL);
    for (Field field : WriteIds.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        Object value = field.get(snapshot);
        field.set(copy, value == KERNEL ? KERNEL : serialised(value));
      }
    }
    return copy;
  }

  private static Object serialised(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(value);
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  @Test
  void get_twoProcessesRestoredFromOneSnapshot_giveDifferentIds() throws Exception {
    WriteIds snapshot = new WriteIds(KERNEL);
    Set<String> ids = new HashSet<>();
    ids.add(snapshot.get());

    WriteIds one = restored(snapshot);
    WriteIds other = restored(snapshot);
    for (int i = 0; i < IDS; i++) {
      ids.add(one.get());
      ids.add(other.get());
    }

    assertThat(ids).hasSize(1 + 2 * IDS);
  }

  @Test
  void get_anId_fitsIntoABucketAndATransactionToken() {
    assertThat(new WriteIds(KERNEL).get()).matches("[A-Za-z0-9_-]{16}");
  }
}

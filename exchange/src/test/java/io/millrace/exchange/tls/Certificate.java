package io.millrace.exchange.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A self-signed key and certificate for "localhost", made by the JDK's keytool. A client must be told to trust it. */
public final class Certificate
{
    public static final String PASSWORD = "keystore-password";
    public static final String HOST = "localhost";

    public final Path file;
    private final KeyStore keys;

    public Certificate(final Path folder)
    {
        file = folder.resolve("keys.p12");
        try
        {
            final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool")
                .toString(), "-genkeypair", "-alias", "exchange", "-keyalg", "EC", "-dname", "CN=" + HOST, "-ext",
                "SAN=dns:" + HOST, "-validity", "3650", "-storetype", "PKCS12", "-keystore", file.toString(),
                "-storepass", PASSWORD).redirectErrorStream(true).redirectOutput(folder.resolve("keytool").toFile())
                .start();
            assertEquals(0, process.waitFor(), () -> "see " + folder);
            keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        }
        catch (final IOException | GeneralSecurityException | InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Has the key. */
    public SSLContext server()
    {
        try
        {
            final KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
            managers.init(keys, PASSWORD.toCharArray());
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Trusts the certificate. */
    public SSLContext client()
    {
        try
        {
            final TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(keys);
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** The certificate alone, as other programs want it. */
    public Path pem()
    {
        try
        {
            return Files.writeString(file.resolveSibling("certificate.pem"), "-----BEGIN CERTIFICATE-----\n" +
                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(keys.getCertificate("exchange")
                .getEncoded()) + "\n-----END CERTIFICATE-----\n", StandardCharsets.US_ASCII);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new AssertionError(ex);
        }
    }
}

package io.millrace.exchange.run;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** TLS of the program: a keystore with the key and the certificate of the exchange. Off without it. */
final class TlsSettings
{
    static final String KEYSTORE = "tls-keystore";
    static final String PASSWORD = "tls-password";

    private YamlNode keystore;
    private YamlNode password;

    void set(final String key, final YamlNode value)
    {
        value.text();
        if (key.equals(KEYSTORE))
        {
            keystore = value;
        }
        else
        {
            password = value;
        }
    }

    boolean isOn()
    {
        return keystore != null;
    }

    /**
     * The context of the connections; null when TLS is off.
     *
     * @throws SettingsException with the place; the password is in no message.
     */
    SSLContext context()
    {
        if ((keystore == null) != (password == null))
        {
            throw keystore == null ? password.error("'" + PASSWORD + "' needs '" + KEYSTORE + "'") :
                keystore.error("'" + KEYSTORE + "' needs '" + PASSWORD + "'");
        }
        return keystore == null ? null : read(ExchangeSettings.path(keystore), password.text().toCharArray());
    }

    private SSLContext read(final Path file, final char[] secret)
    {
        try
        {
            final KeyStore keys = KeyStore.getInstance(file.toFile(), secret);
            for (final String alias : Collections.list(keys.aliases()))
            {
                if (keys.isKeyEntry(alias))
                {
                    final KeyManagerFactory managers =
                        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                    managers.init(keys, secret);
                    final SSLContext context = SSLContext.getInstance("TLS");
                    context.init(managers.getKeyManagers(), null, null);
                    return context;
                }
            }
        }
        catch (final IOException | GeneralSecurityException | IllegalArgumentException ex)
        {
            throw keystore.error("keystore " + file + " cannot be used: " + ex.getMessage());
        }
        throw keystore.error("keystore " + file + " has no private key");
    }
}
